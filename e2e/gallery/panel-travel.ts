/** The travel capture: eleven runs on three threads, every status once. */
import type { CaptureRecord } from '../../src/capture/types.ts';
import { delta, exchange, finished, inputOf, merge, reasoning, sorted, started, step, type Timed, text, tool, usage } from './panel-scenes.ts';

const AGENT = 'http://localhost:5173/api/agent';
const REFUND = 'http://localhost:5173/api/refund';
const FAQ = 'http://localhost:5173/api/faq';
const LISBON = 't_lisbon';
const ASKS = ['Find me a weekend in Lisbon in May, up to 420 €.', 'Now for two people, and cheaper.', 'Can you repeat that?', 'Try again.', 'And now?'];

const STATE = { status: 'planning', progress: 0, travellers: 1, budget: { total: 420, currency: 'EUR' }, hotels: [] };

const good = sorted(
  started(51.2, 'run_01', LISBON),
  [[51.25, { type: 'STATE_SNAPSHOT', snapshot: STATE }]] as Timed[],
  step('plan', 51.3, 55.4),
  reasoning('rs_1', 51.5, 53.9, 'weigh dates against price: the second weekend of May is cheapest from Berlin, the third has rain in the forecast.'),
  delta(54.1, { op: 'replace', path: '/status', value: 'planning routes' }),
  text('m_1', 54.0, 55.6, 'I’ll look at flights and hotels.'),
  step('research', 54.2, 61.3),
  delta(55.5, { op: 'add', path: '/plan', value: ['flights', 'hotels', 'weather'] }),
  tool('tc_1', 'search_flights', 55.7, 56.6, 59.9, { from: 'BER', to: 'LIS' }, { flights: 14 }, { parentMessageId: 'm_1' }),
  tool('tc_2', 'search_hotels', 55.95, 57.1, 60.85, { city: 'Lisbon' }, { hotels: 9 }, { parentMessageId: 'm_1' }),
  [[56.0, { type: 'SUBAGENT_STARTED', subagentRunId: 'sub_1', name: 'weather-scout' }]] as Timed[],
  tool('tc_3', 'get_forecast', 56.5, 56.95, 58.9, { city: 'Lisbon', month: 5 }, { dry: true }, { subagentRunId: 'sub_1' }).map(tagged),
  delta(57.2, { op: 'replace', path: '/progress', value: 0.2 }),
  text('m_s1', 59.0, 60.3, 'Dry, 19 to 24 °C on all three weekends.', { subagentRunId: 'sub_1' }),
  delta(
    59.95,
    {
      op: 'add',
      path: '/flights',
      value: [
        { carrier: 'TAP', price: 96 },
        { carrier: 'easyJet', price: 118 },
      ],
    },
    { op: 'replace', path: '/status', value: 'searching' },
    { op: 'replace', path: '/progress', value: 0.45 },
  ),
  step('write', 60.0, 64.9),
  [[60.5, { type: 'SUBAGENT_FINISHED', subagentRunId: 'sub_1' }]] as Timed[],
  delta(
    60.9,
    { op: 'replace', path: '/status', value: 'comparing' },
    { op: 'replace', path: '/flights/2/price', value: 104 },
    { op: 'add', path: '/cheapest', value: 2 },
  ),
  delta(61.35, { op: 'replace', path: '/status', value: 'writing' }),
  text('m_2', 61.5, 64.8, 'Three weekends fit your budget. The best is 16 to 18 May: 306 € in all. שבת שלום, if you fly on a Friday.'),
  delta(62.4, { op: 'replace', path: '/progress', value: 0.8 }),
  delta(64.85, { op: 'replace', path: '/status', value: 'done' }, { op: 'replace', path: '/progress', value: 1 }),
  finished(65.1, 'run_01', LISBON, usage(3100, 900)),
);

function tagged([time, event]: Timed): Timed {
  return [time, { ...event, subagentRunId: 'sub_1' }];
}

const rejected = sorted(
  started(68.4, 'run_02', LISBON),
  step('plan', 68.5, 70.505),
  reasoning('rs_3', 68.6, 69.8, 'Two people now, so the budget a night is 90 €. The May fares from Berlin were cheaper in the middle of the month.'),
  delta(69.85, { op: 'replace', path: '/travellers', value: 2 }, { op: 'replace', path: '/budget/total', value: 360 }),
  step('search', 69.904, 75.1),
  tool('tc_5', 'search_flights', 70.9, 71.9, 74.9, { from: 'BER', to: 'LIS', adults: 2, max: 180 }, { flights: 14 }),
  step('search', 72.604, null),
  tool('tc_6', 'search_hotels', 72.75, 73.7, 76.1, { city: 'Lisbon', nights: 2, adults: 2 }, { hotels: 9 }),
  delta(74.95, { op: 'add', path: '/flights', value: Array.from({ length: 14 }, (_, i) => ({ carrier: 'TAP', price: 90 + i })) }),
  step('write', 76.2, 78.8),
  text('m_4', 76.4, 78.7, 'Here are cheaper options for two. The 16 to 18 May weekend comes to 344 €, and the one before it to 361 €.'),
  finished(79.0, 'run_02', LISBON, usage(2800, 600)),
);

const failed = sorted(
  started(81.6, 'run_03', LISBON),
  step('plan', 81.7, 83.4),
  reasoning('rs_4', 81.8, 83.1, 'retry the search with the same dates'),
  step('search', 83.2, null),
  text('m_5', 83.4, 87, 'One moment… looking again at all of them').filter(([time]) => time < 84.5),
  tool('tc_7', 'search_flights', 83.7, 84.5, null, { from: 'BER', to: 'LIS' }, null),
  [[86.0, { type: 'RUN_ERROR', message: 'The model returned 529, overloaded.', code: 'overloaded' }]] as Timed[],
);

const truncated = sorted(
  started(88.5, 'run_04', LISBON),
  step('plan', 88.6, 90.3),
  reasoning('rs_5', 88.7, 89.9, 'use cached fares'),
  step('write', 90.1, null),
  text('m_6', 90.2, 96, 'The flights from Berlin on 16 May leave at 07:10 and 12:45, the way back is on Sunday evening, all direct').filter(
    ([time]) => time < 92.6,
  ),
);

const active = sorted(
  started(94.3, 'run_05', LISBON),
  step('plan', 94.4, 96.2),
  reasoning('rs_6', 94.5, 95.8, 'compare again, both airports'),
  step('search', 96.0, null),
  tool('tc_8', 'search_flights', 96.4, 97.3, null, { from: 'BER', to: 'LIS' }, null),
  tool('tc_9', 'search_hotels', 96.7, 98.6, null, { city: 'Lisbon' }, null),
  text('m_7', 97.9, 110, 'Searching both airports for you now, one by one, with care').filter(([time]) => time < 99.6),
);

const refund = (n: number) => `run_a${n}`;
const interrupted = sorted(
  started(57.0, refund(1), 't_refund'),
  step('lookup', 57.1, 59.0),
  tool('tr_1', 'get_order', 57.5, 58.0, 58.8, { order: 4417 }, { total: 89 }),
  step('approve', 59.05, 62.5),
  text('m_r1', 59.1, 60.8, 'Order 4417 can be refunded. Shall I?'),
  tool('tr_2', 'issue_refund', 60.9, 61.7, null, { order: 4417, amount: 89 }, null),
  finished(62.6, refund(1), 't_refund', {
    outcome: { type: 'interrupt', interrupts: [{ id: 'int_1', reason: 'Refund 89 € to the card ending 4410?', toolCallId: 'tr_2' }] },
  }),
);
const cancelled = sorted(
  started(79.6, refund(2), 't_refund'),
  step('lookup', 79.7, 84.3),
  tool('tr_3', 'get_order', 79.9, 80.4, 81.1, { order: 4418 }, { total: 12 }),
  text('m_r2', 81.3, 84.2, 'Checking the second order as well'),
  finished(84.4, refund(2), 't_refund', { outcome: { type: 'cancelled' } }),
);
const late = sorted(
  started(89.0, refund(3), 't_refund'),
  step('lookup', 89.1, 91.5),
  tool('tr_4', 'issue_refund', 89.4, 90.0, 91.4, { order: 4418 }, { done: true }),
  step('reply', 91.6, 93.7),
  text('m_r3', 91.7, 93.6, 'Refund sent, it takes three days'),
  finished(93.8, refund(3), 't_refund', usage(1100, 200)),
  [[96.3, { type: 'RUN_ERROR', message: 'Saving the conversation failed.', code: 'store' }]] as Timed[],
);

const faq = (n: number, from: number, to: number, more: Timed[] = []) =>
  sorted(
    started(from, `run_f${n}`, 't_faq'),
    step('answer', from + 0.1, to - 0.1),
    text(`m_f${n}`, from + 1, to - 0.2, 'Yes, you can change the date up to a day before, it costs nothing. '.repeat(n + 1)),
    more,
    finished(to, `run_f${n}`, 't_faq', usage(300 * n, 150 * n)),
  );

const lisbon = (conn: number, n: number, asked: number, events: Timed[], end: Parameters<typeof exchange>[0]['end']) =>
  exchange({
    conn,
    url: AGENT,
    asked,
    input: inputOf(`run_0${n}`, LISBON, ASKS.slice(0, n), n === 1 ? {} : { state: { ...STATE, flights: [] } }),
    events,
    end,
    comments: true,
  });
const other = (conn: number, url: string, runId: string, threadId: string, asked: number, events: Timed[], end: number) =>
  exchange({
    conn,
    url,
    asked,
    input: inputOf(
      runId,
      threadId,
      ['Please refund order 4417.', 'No, wait. And 4418?', 'Yes.'].slice(0, Number(runId.slice(-1))),
      runId === refund(2) ? { resume: [{ interruptId: 'int_1', status: 'cancelled' }] } : {},
    ),
    events,
    end: [end, 'complete'],
  });

/** Streams that carry no AG-UI events, and one that failed. */
export function strangers(first: number): CaptureRecord[][] {
  const openai = 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n';
  const plain = (conn: number, url: string, asked: number, body: string, status = 200, contentType = 'text/event-stream') =>
    exchange({ conn, url, asked, input: { messages: [] }, events: [], body, end: [asked + 0.6, 'complete'], status, contentType });
  return [
    plain(first, 'http://localhost:5173/v1/chat/completions', 2, openai),
    plain(first + 1, 'http://localhost:5173/v1/chat/completions', 3, openai),
    plain(first + 2, 'http://localhost:5173/api/agent', 45, '{"error":"boom"}', 500, 'application/json'),
  ];
}

/** Everything up to second 99.6, the last run still active. */
export function travel(): CaptureRecord[] {
  return merge(
    other(0, FAQ, 'run_f1', 't_faq', 3.8, faq(1, 4.2, 9.1), 9.2),
    other(1, FAQ, 'run_f2', 't_faq', 15.0, faq(2, 15.4, 22.3), 22.4),
    other(2, FAQ, 'run_f3', 't_faq', 30.2, faq(3, 30.6, 41.2, [[31.4, { type: 'CUSTOM', name: 'typing', value: true }]]), 41.3),
    lisbon(3, 1, 50.55, good, [65.2, 'complete']),
    other(4, REFUND, refund(1), 't_refund', 56.6, interrupted, 62.7),
    lisbon(5, 2, 67.95, rejected, [79.1, 'complete']),
    other(6, REFUND, refund(2), 't_refund', 79.2, cancelled, 84.5),
    lisbon(7, 3, 81.0, failed, [86.1, 'complete']),
    lisbon(8, 4, 88.0, truncated, [92.6, 'network-error']),
    other(9, REFUND, refund(3), 't_refund', 88.6, late, 96.4),
    lisbon(10, 5, 93.75, active, null),
    ...strangers(11),
  );
}
