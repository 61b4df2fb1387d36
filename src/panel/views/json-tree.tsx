/** A JSON value as a tree that opens by and by, with the path to copy. Small values stand on one line. */
import { useState } from 'preact/hooks';
import { copyText } from './copy.ts';

const SMALL = 110;
const PAGE = 200;

/** What a change did to a path, for the State view. */
export type Change = { readonly sign: '+' | '~'; readonly was?: unknown };

interface TreeProps {
  readonly value: unknown;
  readonly name?: string;
  /** Levels that are open at first. */
  readonly open?: number;
  readonly changes?: ReadonlyMap<string, Change>;
}

const isNest = (value: unknown): value is Record<string, unknown> | unknown[] => typeof value === 'object' && value !== null;

/** A scalar in its colour; text is isolated, so that right-to-left words do not turn the row. */
const Scalar = ({ value }: { value: unknown }) => {
  if (typeof value === 'string') {
    return (
      <span class="str">
        "<bdi>{JSON.stringify(value).slice(1, -1)}</bdi>"
      </span>
    );
  }
  return <span class="numv">{value === undefined ? 'undefined' : String(value)}</span>;
};

const Inline = ({ value }: { value: unknown }) => {
  if (!isNest(value)) return <Scalar value={value} />;
  const entries = Object.entries(value);
  const list = Array.isArray(value);
  return (
    <>
      {list ? '[' : '{'}
      {entries.map(([key, inner], i) => (
        <span key={key}>
          {i > 0 ? ', ' : ' '}
          {list ? null : (
            <>
              <span class="key">"{key}"</span>:{' '}
            </>
          )}
          <Inline value={inner} />
        </span>
      ))}
      {entries.length > 0 ? ' ' : ''}
      {list ? ']' : '}'}
    </>
  );
};

const count = (value: object): string => {
  const n = Array.isArray(value) ? value.length : Object.keys(value).length;
  const [one, many] = Array.isArray(value) ? ['item', 'items'] : ['member', 'members'];
  return `${n} ${n === 1 ? one : many}`;
};

/** JSON pointer of a member. */
export const pointer = (path: string, key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const touched = (changes: ReadonlyMap<string, Change> | undefined, path: string): boolean => {
  for (const changed of changes?.keys() ?? []) if (changed.startsWith(`${path}/`)) return true;
  return false;
};

interface NodeProps extends TreeProps {
  readonly path: string;
  readonly depth: number;
}

const Node = ({ value, name, path, depth, open = 1, changes }: NodeProps) => {
  const nest = isNest(value);
  const [shown, setShown] = useState(depth < open || touched(changes, path));
  const [limit, setLimit] = useState(PAGE);
  const change = changes?.get(path);
  const entries = nest && shown ? Object.entries(value) : [];
  return (
    <>
      <div class={`node ${change?.sign === '+' ? 'add' : change?.sign === '~' ? 'change' : ''}`}>
        {changes ? <span class="sign">{change?.sign ?? ''}</span> : null}
        <span class="tree" style={{ paddingLeft: `${depth * 14}px` }}>
          {nest ? (
            <button
              type="button"
              class="twist"
              aria-expanded={shown}
              aria-label={`${shown ? 'Close' : 'Open'} ${name ?? 'value'}`}
              onClick={() => setShown(!shown)}
            >
              {shown ? '▾' : '▸'}
            </button>
          ) : (
            <span class="twist" />
          )}
          {name === undefined ? null : (
            <button type="button" class="key" title={`Copy path ${path || '/'}`} tabIndex={-1} onClick={() => void copyText(path)}>
              {name}
            </button>
          )}
          {nest ? <span class="dim">{shown || Object.keys(value).length === 0 ? count(value) : <Preview value={value} />}</span> : <Scalar value={value} />}
          {change && 'was' in change ? (
            <span class="was">
              was <Inline value={isNest(change.was) ? count(change.was) : change.was} />
            </span>
          ) : null}
        </span>
      </div>
      {entries.slice(0, limit).map(([key, inner]) => (
        <Node key={key} name={key} value={inner} path={pointer(path, key)} depth={depth + 1} open={open} changes={changes} />
      ))}
      {entries.length > limit ? (
        <button type="button" class="link more-nodes" onClick={() => setLimit(limit + PAGE * 5)}>
          {entries.length - limit} more
        </button>
      ) : null}
    </>
  );
};

const Preview = ({ value }: { value: Record<string, unknown> | unknown[] }) => {
  const text = JSON.stringify(value) ?? '';
  return text.length <= 70 ? <Inline value={value} /> : <span>{count(value)}</span>;
};

/** A whole value. */
export const JsonTree = ({ value, name, open = 1, changes }: TreeProps) => {
  const text = changes || !isNest(value) ? '' : (JSON.stringify(value) ?? '');
  if (!changes && !isNest(value)) {
    return (
      <pre class="json-text">
        <Scalar value={value} />
      </pre>
    );
  }
  if (!changes && name === undefined && text.length <= SMALL) {
    return (
      <pre class="json-text">
        <Inline value={value} />
      </pre>
    );
  }
  return (
    <div class="tree-body">
      <Node value={value} name={name} path="" depth={0} open={open} changes={changes} />
    </div>
  );
};
