/** A JSON value as a tree that opens by and by, with the path to copy. Small values stand on one line. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../state/patch.ts';
import type { TreeHits } from '../state/tree-search.ts';
import { pointer } from '../words/pointer.ts';
import { copyText } from './copy.ts';
import { Marked } from './marked.tsx';
import { type MenuItem, openMenu } from './menu.tsx';

const SMALL = 110;
const PAGE = 200;

export interface TreeProps {
  readonly value: unknown;
  readonly name?: string;
  /** Levels that are open at first. */
  readonly open?: number;
  readonly changes?: ReadonlyMap<string, Change>;
  /** What is gone, with what stood there before: shown where it was. */
  readonly removed?: readonly { readonly path: string; readonly was: unknown }[];
  /** A text that is looked for: its places are opened and marked, the current one stands out. */
  readonly find?: { readonly text: string; readonly hits: TreeHits; readonly current: string | null };
}

type Setting = Pick<TreeProps, 'changes' | 'removed' | 'find'> & { readonly open: number };
const Tree = createContext<Setting>({ open: 1 });

const isNest = (value: unknown): value is Record<string, unknown> | unknown[] => typeof value === 'object' && value !== null;

/** A scalar in its colour; text is isolated, so that right-to-left words do not turn the row. */
const Scalar = ({ value, needle = '' }: { value: unknown; needle?: string }) => {
  if (typeof value === 'string') {
    return (
      <span class="str">
        "
        <bdi>
          <Marked text={JSON.stringify(value).slice(1, -1)} needle={needle} />
        </bdi>
        "
      </span>
    );
  }
  return (
    <span class="numv">
      <Marked text={value === undefined ? 'undefined' : String(value)} needle={needle} />
    </span>
  );
};

const Inline = ({ value, needle = '' }: { value: unknown; needle?: string }) => {
  if (!isNest(value)) return <Scalar value={value} needle={needle} />;
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
              <span class="key">
                "<Marked text={key} needle={needle} />"
              </span>
              :{' '}
            </>
          )}
          <Inline value={inner} needle={needle} />
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

const touched = (changes: ReadonlyMap<string, Change> | undefined, path: string): boolean => {
  for (const changed of changes?.keys() ?? []) if (changed.startsWith(`${path}/`)) return true;
  return false;
};

/** Places removed right under a path. */
const removedUnder = (removed: TreeProps['removed'], path: string) =>
  (removed ?? []).filter((one) => one.path.startsWith(`${path}/`) && !one.path.slice(path.length + 1).includes('/'));

const lastKey = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');

interface NodeProps {
  readonly value: unknown;
  readonly name?: string;
  readonly path: string;
  readonly depth: number;
}

function nodeMenu(value: unknown, path: string): MenuItem[] {
  return [
    { text: 'Copy value', act: () => void copyText(isNest(value) ? JSON.stringify(value, null, 2) : String(value)) },
    { text: `Copy path ${path || '/'}`, act: () => void copyText(path) },
  ];
}

const Node = ({ value, name, path, depth }: NodeProps) => {
  const { changes, removed, find, open } = useContext(Tree);
  const nest = isNest(value);
  const [own, setOwn] = useState(depth < open || touched(changes, path) || removedUnder(removed, path).length > 0);
  const [limit, setLimit] = useState(PAGE);
  const row = useRef<HTMLDivElement>(null);
  const current = find !== undefined && find.current === path;
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' });
  }, [current, find?.hits]);
  const shown = own || find?.hits.open.has(path) === true;
  const change = changes?.get(path);
  const entries = nest && shown ? Object.entries(value) : [];
  const visible = find?.current ? Math.max(limit, entries.findIndex(([key]) => `${find.current}/`.startsWith(`${pointer(path, key)}/`)) + 1) : limit;
  const needle = find?.text ?? '';
  const classes = ['node', change?.sign === '+' ? 'add' : change?.sign === '~' ? 'change' : '', current ? 'current' : ''].filter(Boolean).join(' ');
  const onMenu = (event: MouseEvent) => {
    event.preventDefault();
    const { left, bottom } = (event.currentTarget as Element).getBoundingClientRect();
    const byKey = event.clientX === 0 && event.clientY === 0;
    openMenu('Value', byKey ? { x: left + 40, y: bottom } : { x: event.clientX, y: event.clientY }, () => nodeMenu(value, path));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu is opened from the buttons inside by key as well */}
      <div ref={row} class={classes} data-path={path} onContextMenu={onMenu}>
        {changes ? <span class="sign">{change?.sign ?? ''}</span> : null}
        <span class="tree" style={{ paddingLeft: `${depth * 14}px` }}>
          {nest ? (
            <button
              type="button"
              class="twist"
              aria-expanded={shown}
              aria-label={`${shown ? 'Close' : 'Open'} ${name ?? 'value'}`}
              onClick={() => setOwn(!shown)}
            >
              {shown ? '▾' : '▸'}
            </button>
          ) : (
            <span class="twist" />
          )}
          {name === undefined ? null : (
            <button type="button" class="key" title={`Copy path ${path || '/'}`} tabIndex={-1} onClick={() => void copyText(path)}>
              <Marked text={name} needle={needle} />
            </button>
          )}
          {nest ? (
            <span class="dim">{shown || Object.keys(value).length === 0 ? count(value) : <Preview value={value} />}</span>
          ) : (
            <Scalar value={value} needle={needle} />
          )}
          {change && 'was' in change ? (
            <span class="was">
              was <Inline value={isNest(change.was) ? count(change.was) : change.was} />
            </span>
          ) : null}
        </span>
      </div>
      {entries.slice(0, visible).map(([key, inner]) => (
        <Node key={key} name={key} value={inner} path={pointer(path, key)} depth={depth + 1} />
      ))}
      {shown ? removedUnder(removed, path).map((one) => <Gone key={one.path} name={lastKey(one.path)} was={one.was} depth={depth + 1} />) : null}
      {entries.length > visible ? (
        <button type="button" class="link more-nodes" onClick={() => setLimit(visible + PAGE * 5)}>
          {entries.length - visible} more
        </button>
      ) : null}
    </>
  );
};

const Gone = ({ name, was, depth }: { name: string; was: unknown; depth: number }) => (
  <div class="node remove">
    <span class="sign">−</span>
    <span class="tree" style={{ paddingLeft: `${depth * 14}px` }}>
      <span class="twist" />
      <span class="key gone">{name}</span>
      <span class="was">
        was <Inline value={isNest(was) && JSON.stringify(was).length > SMALL ? count(was) : was} />
      </span>
    </span>
  </div>
);

const Preview = ({ value }: { value: Record<string, unknown> | unknown[] }) => {
  const text = JSON.stringify(value) ?? '';
  return text.length <= 70 ? <Inline value={value} /> : <span>{count(value)}</span>;
};

/** A whole value. */
export const JsonTree = ({ value, name, open = 1, changes, removed, find }: TreeProps) => {
  const plain = !changes && !isNest(value);
  if (plain || (!changes && name === undefined && (JSON.stringify(value) ?? '').length <= SMALL)) {
    return (
      <pre class="json-text">
        <Inline value={value} needle={find?.text} />
      </pre>
    );
  }
  return (
    <Tree.Provider value={{ open, changes, removed, find }}>
      <div class="tree-body">
        <Node value={value} name={name} path="" depth={0} />
      </div>
    </Tree.Provider>
  );
};
