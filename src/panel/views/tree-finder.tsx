/** A search box over a JSON tree: Enter goes to the next place, Shift+Enter to the one before. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { usePanel } from '../state/panel.ts';
import { searchTree } from '../state/tree-search.ts';
import type { TreeProps } from './json-tree.tsx';
import { Tool } from './parts.tsx';

export interface TreeFind {
  readonly find: TreeProps['find'];
  readonly text: string;
  readonly set: (text: string) => void;
  readonly step: (by: 1 | -1) => void;
  /** `2 of 7`, `2 of more than 2,000`, `nowhere`, or '' without a search. */
  readonly said: string;
}

/** The search over one value. `given` is looked for until the reader types something else. */
export function useTreeFind(value: unknown, given = ''): TreeFind {
  const { formats } = usePanel();
  const [typed, setTyped] = useState(given);
  const [at, setAt] = useState(0);
  const text = typed.trim();
  const hits = useMemo(() => searchTree(value, text), [value, text]);
  const n = hits.paths.length;
  const index = n === 0 ? 0 : Math.min(at, n - 1);
  useEffect(() => setAt(0), [text]);
  const said = text === '' ? '' : n === 0 ? 'nowhere' : `${formats.count(index + 1)} of ${hits.more ? 'more than ' : ''}${formats.count(n)}`;
  return {
    find: text === '' ? undefined : { text, hits, current: hits.paths[index] ?? null },
    text: typed,
    set: setTyped,
    step: (by) => setAt(n === 0 ? 0 : (index + by + n) % n),
    said,
  };
}

export function TreeFinder({ search, label }: { search: TreeFind; label: string }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') search.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && search.text !== '') search.set('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span class="finder">
      <input
        type="search"
        class="boxed-input"
        placeholder="Find"
        aria-label={label}
        title="Enter: next place; Shift+Enter: the one before"
        value={search.text}
        onInput={(event) => search.set(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {search.said === '' ? null : (
        <>
          <output class="dim">{search.said}</output>
          <Tool icon="prev" label="Previous place" small onClick={() => search.step(-1)} />
          <Tool icon="next" label="Next place" small onClick={() => search.step(1)} />
        </>
      )}
    </span>
  );
}
