/** The files of `docs/rules/`: the catalogue, and of each rule the smallest bad stream and the mended one. */
import { ruleIndex, rulePage } from './catalogue/page.ts';
import { RULES } from './catalogue.ts';
import { type ExampleStream, type Piece, RULE_EXAMPLES, type RuleExample, runExample } from './rule-examples.ts';
import type { Finding } from './types.ts';

/** File name → Markdown. */
export function rulePages(): ReadonlyMap<string, string> {
  const pages = new Map([['README.md', indexPage()]]);
  for (const rule of RULES) {
    const example = RULE_EXAMPLES.find((candidate) => candidate.rule === rule.id);
    pages.set(`${rule.id}.md`, [rulePage(rule), ...(example ? [examplePart(example)] : []), '[All rules](README.md)\n'].join('\n'));
  }
  return pages;
}

function indexPage(): string {
  const intro = [
    '# Rules',
    '',
    `The ${RULES.length} rules Runlens checks, by family. A violation makes a conforming consumer reject the stream; a deviation breaks a duty and consumers carry on; an advice is legal, but worth a look. Rules marked (off) are off by default.`,
    '',
    'These pages are made from the catalogue by `npm run docs:rules`.',
  ];
  return ruleIndex(RULES).replace('# Rules', intro.join('\n'));
}

function examplePart({ rule, note, bad, mended }: RuleExample): string {
  return [
    '## Smallest bad stream',
    '',
    ...(note === undefined ? [] : [note, '']),
    ...connections(bad),
    ...runExample(rule, bad).flatMap(findingLines),
    '## Mended',
    '',
    ...connections(mended),
    'No finding.',
    '',
  ].join('\n');
}

function findingLines({ at, frame, message }: Finding): string[] {
  const place = frame === undefined ? (at < 0 ? 'Finding, of the whole exchange' : `Finding, at event ${at}`) : `Finding, at frame ${frame}`;
  return [`${place} (counted from 0):`.replace('exchange (counted from 0)', 'exchange'), '', `> ${message}`, ''];
}

function connections(stream: ExampleStream): string[] {
  const { before = [] } = stream;
  if (before.length === 0) return connection(stream);
  return [...before.flatMap((earlier) => ['Connection before:', '', ...connection(earlier)]), 'Next connection:', '', ...connection(stream)];
}

function connection(stream: ExampleStream): string[] {
  const { clock, request, contentType, events, sse = [], hex, watched, end = 'closed' } = stream;
  const lines: string[] = [];
  if (request !== undefined) lines.push(clock === undefined ? 'Request:' : `Request, sent at ${clock}:`, '', ...fence('json', JSON.stringify(request)));
  const type = contentType === undefined ? '' : `, \`Content-Type: ${contentType}\``;
  if (events?.length === 0) return [...lines, 'Response without events.', ''];
  if (request !== undefined || type !== '') lines.push(`Response${type}:`, '');
  if (events) lines.push(...fence('json', events.map((event) => JSON.stringify(event)).join('\n')));
  else if (hex) lines.push('One frame a line, in hexadecimal:', '', ...fence('text', hex.join('\n')));
  else lines.push(...body(sse));
  if (watched !== undefined) lines.push(`Still open ${watched / 1000} s later.`, '');
  else if (end !== 'closed') lines.push(`The stream then ends so: ${end}.`, '');
  return lines;
}

/** Pieces without times run together; a timed or repeated one stands alone and says so. */
function body(sse: readonly (string | Piece)[]): string[] {
  const lines: string[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') lines.push(...fence('text', text.replaceAll('\r', '␍').replace(/\n$/, '')));
    text = '';
  };
  for (const piece of sse) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    flush();
    lines.push(`${heading(piece)}:`, '');
    text = piece.text;
    flush();
  }
  flush();
  return lines;
}

function heading({ time, times = 1, every }: Piece): string {
  const when = time === undefined ? '' : `${every === undefined ? 'At' : 'From'} ${time / 1000} s`;
  const often =
    times === 1 ? '' : `${times.toLocaleString('en-US')} times${every === undefined ? (time === undefined ? '' : ' at once') : `, ${every} ms apart`}`;
  return when === '' ? often : often === '' ? when : `${when}, ${often}`;
}

function fence(language: string, text: string): string[] {
  return [`\`\`\`${language}`, text, '```', ''];
}
