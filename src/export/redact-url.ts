/** What becomes of an address: the scheme, the port and loopback hosts stay, and so do the separators and a few path words that tell protocols apart. */
import { type StandIns, standIn } from './redact-stand-ins.ts';

const WHOLE = /^([a-z][a-z0-9+.-]{0,20}:)?\/\/([^/?#]*@)?([^/?#]*)(.*)$/is;
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:', 'file:', 'chrome-extension:', 'moz-extension:']);
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/i;
const PATH_WORDS: ReadonlySet<string> = new Set([
  'api',
  'agent',
  'connect',
  'copilotkit',
  'cpk-debug-events',
  'v1',
  'chat',
  'completions',
  'responses',
  'messages',
  'runs',
  'stream',
]);

export function urlStandIn(standIns: StandIns, url: string): string {
  const parts = WHOLE.exec(url);
  const [, scheme = '', user = '', host = '', rest = ''] = parts ?? [];
  if (!parts || !(scheme === '' || SCHEMES.has(scheme.toLowerCase()))) return wordsStandIn(standIns, url);
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:\d{0,5})?$/s.exec(host) ?? [null, host];
  const login = user === '' ? '' : `${standIn(standIns, user.slice(0, -1), 'solid')}@`;
  const server = LOOPBACK.test(name) ? name : name.replaceAll(/[^.[\]]+/g, (label) => standIn(standIns, label, 'solid'));
  return `${scheme}//${login}${server}${port}${wordsStandIn(standIns, rest)}`;
}

function wordsStandIn(standIns: StandIns, text: string): string {
  return text.replaceAll(/[^/?#&=]+/g, (word) => (PATH_WORDS.has(word) ? word : standIn(standIns, word, 'solid')));
}
