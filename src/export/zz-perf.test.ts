import { it } from 'vitest';
import { redact } from './redact.ts';
import { capture, encoder } from './redact-testing.ts';
it('perf', () => {
  const words = Array.from({ length: 3000 }, (_, i) => ` w${i}ord`);
  let text = '';
  for (let i = 0; i < 60000; i++) text += `data: ${JSON.stringify({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: words[i % 3000] })}\n\n`;
  const state = encoder.encode(Array.from({ length: 200 }, (_, i) => `data: ${JSON.stringify({ type: 'STATE_SNAPSHOT', snapshot: { list: Array.from({ length: 300 }, (_, n) => ({ id: n, name: `thing number ${n} ${i}`, ok: true, price: n * 1.5 })) } })}\n\n`).join(''));
  for (const bytes of [encoder.encode(text), state]) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / 16384) }, (_, i) => bytes.slice(i * 16384, (i + 1) * 16384));
  const t = process.cpuUsage();
  let n = 0;
  for (const r of redact(capture('sse', chunks), { groups: 'all', salt: 'x' })) n += r.kind === 'chunk' ? r.bytes.length : 0;
  console.log('MB', bytes.length / 1e6, 'same', n === bytes.length, 'cpu s', process.cpuUsage(t).user / 1e6);
  }
});
