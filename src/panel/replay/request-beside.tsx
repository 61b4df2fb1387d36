/** Of a replayed stream: the request that its answer was recorded for, and what the page asks differently now. */
import diff from 'microdiff';
import { JsonTree } from '../views/json-tree.tsx';
import './replay.css';

interface Props {
  /** Where the recording came from, in words. */
  readonly name: string;
  readonly recorded: { readonly url: string; readonly method: string; readonly body: string | undefined };
  readonly now: { readonly url: string; readonly method: string; readonly body: string | undefined };
}

/** Differences that are listed; the rest is counted. */
const MOST = 200;

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

interface Difference {
  readonly path: string;
  readonly was: string;
  readonly is: string;
}

const words = (value: unknown): string => (value === undefined ? '(not there)' : JSON.stringify(value));

/** What differs, address and method first. */
export function differencesOf(recorded: Props['recorded'], now: Props['now']): Difference[] {
  const heads = (['method', 'url'] as const).flatMap((key) => (recorded[key] === now[key] ? [] : [{ path: key, was: recorded[key], is: now[key] }]));
  const changes = diff({ body: parsed(recorded.body) } as Record<string, unknown>, { body: parsed(now.body) } as Record<string, unknown>, { cyclesFix: false });
  const fields = changes.map((change) => ({
    path: change.path.join('.'),
    was: words(change.type === 'CREATE' ? undefined : change.oldValue),
    is: words(change.type === 'REMOVE' ? undefined : change.value),
  }));
  return [...heads, ...fields];
}

export function RequestBeside({ name, recorded, now }: Props) {
  const differences = differencesOf(recorded, now);
  const before = parsed(recorded.body);
  return (
    <section aria-label="Recorded request" class="request-beside" data-testid="request-beside">
      <h3>Against the recorded request</h3>
      <p class="dim">This answer was recorded as {name}.</p>
      {differences.length === 0 ? (
        <p>The page asked for the very same.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">What differs</th>
              <th scope="col">Recorded</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {differences.slice(0, MOST).map(({ path, was, is }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td dir="auto">{was}</td>
                <td dir="auto">{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {differences.length > MOST ? <p class="dim">{differences.length - MOST} more differ.</p> : null}
      {typeof before === 'object' && before !== null ? (
        <details>
          <summary>The recorded body</summary>
          <div class="boxed">
            <JsonTree value={before} name="RunAgentInput" open={1} />
          </div>
        </details>
      ) : null}
    </section>
  );
}
