import { describe, expect, test } from 'vitest';
import { acceptsOf, type FilterQuery } from './filter.ts';
import { parseFilter, withWord } from './filter-words.ts';
import { createSearch, runSearch } from './search.ts';
import { createStore, takeMessage } from './store.ts';
import { connectionOf, findingOf, now, rowsOf, runOf, spanOf, update } from './testkit.ts';

const NONE: FilterQuery = { ...parseFilter(''), hidden: new Set(), least: 'advice', inPayload: () => false };

function filled() {
  const store = createStore(now);
  takeMessage(
    store,
    update({
      rows: rowsOf([
        { type: 'RUN_STARTED', run: 0 },
        { type: 'STEP_STARTED', run: 0, span: 0 },
        { type: 'TEXT_MESSAGE_CONTENT', run: 0, span: 1 },
        { type: 'CUSTOM', run: 1 },
        { type: 'STEP_STARTED', run: 1, span: 2, flags: 2 },
        { type: 'BAD', run: 1 },
      ]),
      runs: [runOf(0, { runId: 'run_a', threadId: 't1' }), runOf(1, { runId: 'run_b', threadId: 't2' })],
      spans: [
        spanOf(0, { kind: 'step', itemId: 'research', label: 'research', owner: 'sub_1' }),
        spanOf(1, { itemId: 'm_77', label: 'Three weekends', owner: 'sub_1' }),
        spanOf(2, { kind: 'step', itemId: 'plan', label: 'plan' }),
        spanOf(3, { kind: 'subagent', itemId: 'sub_1', label: 'scout' }),
      ],
      ticks: [{ row: 3, run: 1, kind: 'custom', time: 1030, owner: 'sub_1' }],
      findings: [findingOf(0, { row: 4 })],
      connections: [connectionOf(0)],
    }),
  );
  return store;
}
const rows = (query: Partial<FilterQuery>): number[] => {
  const accepts = acceptsOf(filled(), { ...NONE, ...query });
  return [0, 1, 2, 3, 4, 5].filter((row) => accepts === null || accepts(row));
};

describe('filter', () => {
  test('without a wish there is no test at all', () => {
    expect(acceptsOf(filled(), NONE)).toBeNull();
    expect(acceptsOf(filled(), { ...NONE, text: '  ' })).toBeNull();
  });

  test.each([
    ['a type', { text: 'step_started' }, [1, 4]],
    ['a name', { text: 'RESEARCH' }, [1]],
    ['an id', { text: 'm_77' }, [2]],
    ['the text of a message', { text: 'weekends' }, [2]],
    ['a rule', { text: 'already-open' }, [4]],
    ['a run id', { text: 'run_b' }, [3, 4, 5]],
    ['an address', { text: '/agent' }, [0, 1, 2, 3, 4, 5]],
    ['a payload', { text: 'zzz', inPayload: (row: number) => row === 3 }, [3]],
    ['kinds switched off; runs and bad frames stay', { hidden: new Set(['step', 'other', 'text']) }, [0, 5]],
    ['one run', parseFilter('run:run_b'), [3, 4, 5]],
    ['one run by its place', parseFilter('run:#1'), [0, 1, 2]],
    ['one thread', parseFilter('thread:t1'), [0, 1, 2]],
    ['findings only', parseFilter('has:finding'), [4]],
    ['one type', parseFilter('type:step_'), [1, 4]],
    ['a subagent by its id: its span, what it owns, its state', parseFilter('owner:sub_1'), [1, 2, 3]],
    ['a subagent by its name', parseFilter('owner:scout'), [1, 2, 3]],
    ['what no subagent owns', parseFilter('owner:none'), [0, 4, 5]],
    ['run and text together', parseFilter('run:run_b step'), [4]],
    ['text and kind together', { text: 'step', hidden: new Set(['step']) }, []],
  ] as const)('%s', (_, query, expected) => {
    expect(rows(query)).toEqual(expected);
  });
});

describe('filter line', () => {
  test('words narrow, the rest is text', () => {
    expect(parseFilter('run:run_1 two  words thread:"t lisbon" HAS:finding owner: type:state')).toEqual({
      text: 'two words',
      run: 'run_1',
      thread: 't lisbon',
      owner: null,
      type: 'state',
      finding: true,
    });
    expect(parseFilter('rerun:x http://run:8080/').text).toBe('rerun:x http://run:8080/');
  });
  test('a word is set, replaced and taken back', () => {
    const one = withWord('lisbon', 'thread', 't lisbon');
    expect(one).toBe('thread:"t lisbon" lisbon');
    expect(withWord(one, 'thread', 't2')).toBe('thread:t2 lisbon');
    expect(withWord(withWord(one, 'run', '#3'), 'thread', null)).toBe('run:#3 lisbon');
    expect(withWord('has:finding', 'has', null)).toBe('');
  });
});

describe('search in payloads', () => {
  const parts = ['data: {"d":"Ünder the bridge"}\n\n', 'data: {"d":"a \\"quoted\\" word"}\n\n', 'data: {"d":"\\u00fcber"}\n\n', 'data: {"d":"nothing"}\n\n'];
  const find = async (text: string): Promise<number[]> => {
    const bytes = parts.map((part) => new TextEncoder().encode(part));
    const whole = new Uint8Array(bytes.reduce((n, part) => n + part.length, 0));
    let offset = 0;
    const specs = bytes.map((part) => {
      whole.set(part, offset);
      offset += part.length;
      return { type: 'CUSTOM', offset: offset - part.length, length: part.length };
    });
    const store = createStore(now);
    takeMessage(store, update({ rows: rowsOf(specs) }));
    const search = createSearch(text);
    await runSearch(
      search,
      store.columns,
      async (_conn, from, length) => whole.slice(from, from + length),
      () => undefined,
    );
    expect(search.scanned.value).toBe(4);
    return [0, 1, 2, 3].filter((row) => search.hits[row] === 1);
  };

  test('finds words whatever their case, beside letters of more than one byte', async () => {
    expect(await find('BRIDGE')).toEqual([0]);
    expect(await find('Ünder')).toEqual([0]);
  });
  test('finds what JSON had to escape', async () => {
    expect(await find('"quoted"')).toEqual([1]);
    expect(await find('über')).toEqual([2]);
  });
  test('a word in several rows is found in each', async () => {
    expect(await find('data')).toEqual([0, 1, 2, 3]);
  });
});
