/** Which groups of content are replaced by stand-ins. */
import type { Group } from '../../export/index.ts';

const WORDS: Readonly<Record<Group, string>> = {
  text: 'Messages',
  reasoning: 'Reasoning',
  tool: 'Tool calls and results',
  state: 'State',
  activity: 'Activity',
  custom: 'Custom events',
  request: 'Request bodies',
  urls: 'URLs',
  ids: 'Ids and names',
};

interface ExportRedactProps {
  /** Null: nothing is redacted. */
  readonly groups: ReadonlySet<Group> | null;
  readonly all: readonly Group[];
  readonly onChange: (groups: ReadonlySet<Group> | null) => void;
}

export function ExportRedact({ groups, all, onChange }: ExportRedactProps) {
  const flip = (group: Group, on: boolean) => {
    const next = new Set(groups);
    if (on) next.add(group);
    else next.delete(group);
    onChange(next.size === 0 ? null : next);
  };
  return (
    <fieldset>
      <legend>Redact</legend>
      <label class="check radio">
        <input type="radio" name="export-redact" checked={groups === null} onChange={() => onChange(null)} />
        Nothing: it leaves as it is
      </label>
      <label class="check radio">
        <input type="radio" name="export-redact" checked={groups !== null} onChange={() => onChange(new Set(all.filter((group) => group !== 'ids')))} />
        Replace by stand-ins of the same length
      </label>
      {groups === null ? null : (
        <>
          <div class="groups">
            {all.map((group) => (
              <label key={group} class="check">
                <input type="checkbox" checked={groups.has(group)} onChange={(event) => flip(group, event.currentTarget.checked)} />
                {WORDS[group]}
              </label>
            ))}
          </div>
          <p class="dim note">What belongs to no group goes too. Types, order, sizes and times stay; findings travel as recorded.</p>
        </>
      )}
    </fieldset>
  );
}
