import { expect, test } from 'vitest';
import { createFormats } from './format.ts';
import { callSite } from './stack.ts';
import { sumText, usageLines } from './usage.ts';

const formats = createFormats('en');

test('what a run does not report is not zero', () => {
  expect(sumText([], 'inputTokens', formats)).toBe('–');
  expect(sumText([{ model: 'a' }], 'inputTokens', formats)).toBe('–');
  expect(sumText([{ inputTokens: 0 }], 'inputTokens', formats)).toBe('0');
  expect(sumText([{ inputTokens: 800 }, { inputTokens: 12 }], 'inputTokens', formats)).toBe('812');
  expect(sumText([{ inputTokens: 800 }, { outputTokens: 1 }], 'inputTokens', formats)).toBe('≥ 800');
});

test('usage is told by model', () => {
  const usage = [
    { model: 'big', provider: 'acme', inputTokens: 1200, outputTokens: 30 },
    { model: 'small', inputTokens: 5 },
    { model: 'big', provider: 'acme', inputTokens: 300 },
    { provider: 'acme' },
  ];
  expect(usageLines(usage, formats)).toEqual(['big, acme: 1,500 in, ≥ 30 out', 'small: 5 in', 'acme: no counts']);
});

test('who issued a call: the innermost frame of the app', () => {
  expect(callSite('at runAgent (http://localhost:5173/src/agent.ts:41:18)\nat onSend (http://localhost:5173/src/chat.tsx:112:9)')).toEqual({
    place: 'agent.ts:41',
    name: 'runAgent',
  });
  const bundled =
    'Error\n    at HttpAgent.run (http://localhost:5173/node_modules/.vite/deps/client.js?v=1:9:2)\n    at async http://localhost:5173/src/chat.tsx?t=1:112:9';
  expect(callSite(bundled)).toEqual({ place: 'chat.tsx:112', name: '' });
  expect(callSite('send@http://localhost:5173/app.js:7:1')).toEqual({ place: 'app.js:7', name: 'send' });
  expect(callSite('at only (http://localhost/node_modules/x.js:1:2)')?.place).toBe('x.js:1');
  expect([callSite(undefined), callSite('Error')]).toEqual([null, null]);
});
