/**
 * What is put in the place of a redacted text: letters that take as many bytes and say nothing, the same for the same text throughout a
 * capture. They are drawn from a generator keyed with the salt and the text (the rounds of HalfSipHash, a public-domain keyed hash): who
 * does not know the salt cannot try out guesses.
 */

/**
 * How a text is written: `text` character for character; `id` likewise, but `.`, `:` and `/` stay; `line` keeps line ends, and `solid`
 * not even those (neither is JSON text, so nothing needs an escape); `args` is digits, one a byte, so that fragments of JSON put together
 * still are JSON.
 */
export type Mode = 'text' | 'id' | 'line' | 'solid' | 'args';

export interface StandIns {
  readonly key: Int32Array;
  /** Short texts and theirs, so that two short texts get two stand-ins. */
  readonly given: Map<string, string>;
  readonly used: Set<string>;
  /** Never given: they would mean something where they stand. */
  readonly reserved: ReadonlySet<string>;
  counts: { strings: number; keys: number; numbers: number; literals: number };
}

/** Longer texts need no table: two of them get the same stand-in once in more than 52 ** 13. */
const SHORT = 12;
const MOST_GIVEN = 200_000;
const ATTEMPTS = 64;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function createStandIns(salt: string, reserved: ReadonlySet<string>): StandIns {
  const key = Int32Array.of(0x6c796765, 0x74656462, 0x646f7261, 0x736f6d65);
  absorb(key, salt);
  return { key, given: new Map(), used: new Set(), reserved, counts: { strings: 0, keys: 0, numbers: 0, literals: 0 } };
}

function mix(v: Int32Array): void {
  let [a, b, c, d] = v as unknown as [number, number, number, number];
  a = (a + b) | 0;
  b = ((b << 5) | (b >>> 27)) ^ a;
  a = (a << 16) | (a >>> 16);
  c = (c + d) | 0;
  d = ((d << 8) | (d >>> 24)) ^ c;
  a = (a + d) | 0;
  d = ((d << 7) | (d >>> 25)) ^ a;
  c = (c + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ c;
  v[0] = a;
  v[1] = b;
  v[2] = (c << 16) | (c >>> 16);
  v[3] = d;
}

function absorb(v: Int32Array, text: string): void {
  for (let i = 0; i <= text.length; i += 2) {
    const word = (text.charCodeAt(i) || 0) | ((text.charCodeAt(i + 1) || 0) << 16);
    v[3] = v[3]! ^ word;
    mix(v);
    mix(v);
    v[0] = v[0]! ^ word;
  }
  v[3] = v[3]! ^ text.length;
  v[2] = v[2]! ^ 0xff;
  for (let i = 0; i < 4; i++) mix(v);
}

/** Numbers below `most` one after the other, the same ones for the same key, text and attempt. */
function drawer(standIns: StandIns, text: string, attempt: number): (most: number) => number {
  const v = standIns.key.slice();
  v[1] = v[1]! ^ attempt;
  absorb(v, text);
  let pool = 0;
  let left = 0;
  return (most) => {
    if (left === 0) {
      v[1] = v[1]! ^ 0xee;
      mix(v);
      mix(v);
      pool = (v[1]! ^ v[3]!) >>> 0;
      left = 4;
    }
    left--;
    const drawn = pool % most;
    pool = Math.floor(pool / most);
    return drawn;
  };
}

/** Bytes of a text in UTF-8; a lone surrogate counts as the three of U+FFFD. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isPair(text, i)) {
      bytes--;
      i++;
    }
  }
  return bytes;
}

function isPair(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00;
}

/** What JSON writes as a backslash and a letter: two bytes in, two bytes out. */
function isShortEscape(unit: number): boolean {
  return unit === 34 || unit === 92 || unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13;
}

function stays(unit: number, mode: Mode): boolean {
  if (mode === 'id') return unit === 46 || unit === 47 || unit === 58;
  return mode === 'line' && (unit === 10 || unit === 13);
}

function draw(standIns: StandIns, text: string, mode: Mode, attempt: number): string {
  const pick = drawer(standIns, text, attempt);
  if (mode === 'args') return Array.from({ length: byteLength(text) }, () => 1 + pick(9)).join('');
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (stays(unit, mode)) out += text[i];
    else if (isShortEscape(unit) && (mode === 'text' || mode === 'id')) out += '\n';
    else if (unit < 0x80 || unit === 0xfffd) out += LETTERS[pick(LETTERS.length)];
    else if (unit < 0x800) out += String.fromCharCode(0x100 + pick(128));
    else if (isPair(text, i)) {
      out += String.fromCodePoint(0x10400 + pick(80));
      i++;
    } else if ((unit & 0xf800) === 0xd800) out += LETTERS[pick(LETTERS.length)];
    else out += String.fromCharCode(0x4e00 + pick(256));
  }
  return out;
}

/** The stand-in of a text; nothing but white space is its own. Two short texts get two stand-ins as long as there are enough. */
export function standIn(standIns: StandIns, text: string, mode: Mode): string {
  if (text === '' || (mode !== 'args' && text.trim() === '')) return text;
  standIns.counts.strings++;
  return once(standIns, `${mode} ${text}`, text.length <= SHORT, (attempt) => draw(standIns, text, mode, attempt), text);
}

function once(standIns: StandIns, name: string, short: boolean, make: (attempt: number) => string, text: string): string {
  const before = short ? standIns.given.get(name) : undefined;
  if (before !== undefined) return before;
  let out = make(0);
  for (let attempt = 1; attempt < ATTEMPTS && (out === text || standIns.reserved.has(out) || (short && standIns.used.has(out))); attempt++) out = make(attempt);
  if (short && standIns.given.size < MOST_GIVEN) {
    standIns.given.set(name, out);
    standIns.used.add(out);
  }
  return out;
}

/** Keys that may be an index in a pointer to them, and those that patches refuse. */
const PLAIN_KEY = /^(-|0|[1-9]\d{0,3}|__proto__|constructor|prototype)$/;

/** The stand-in of an object's key, in objects and in pointers to them alike. */
export function keyStandIn(standIns: StandIns, key: string): string {
  if (PLAIN_KEY.test(key)) return key;
  standIns.counts.keys++;
  return standIn(standIns, key, 'text');
}

const POINTER = /^(\/([^/~]|~[01])*)*$/;

/** A JSON Pointer (RFC 6901) to the same place in a document whose keys are redacted. What is no pointer becomes another text that is none. */
export function pointerStandIn(standIns: StandIns, pointer: string): string {
  if (pointer === '') return '';
  if (!pointer.startsWith('/')) return standIn(standIns, pointer, 'text');
  if (!POINTER.test(pointer)) return `/~${standIn(standIns, pointer.slice(2), 'text')}`;
  const keys = pointer.slice(1).split('/');
  return keys.map((key) => `/${keyStandIn(standIns, key.replaceAll('~1', '/').replaceAll('~0', '~'))}`).join('');
}

/** The stand-in of a number as JSON text no longer than `raw`: the same for the same value, with its sign, point and exponent. */
export function numberStandIn(standIns: StandIns, raw: string): string {
  standIns.counts.numbers++;
  const value = String(Number(raw));
  const shape = value.length <= raw.length ? value : raw;
  return once(standIns, `number ${shape}`, shape.length <= SHORT, (attempt) => drawDigits(standIns, value, shape, attempt), shape);
}

function drawDigits(standIns: StandIns, value: string, shape: string, attempt: number): string {
  const pick = drawer(standIns, value, attempt);
  const mantissa = /^[^eE]*/.exec(shape)![0];
  const long = /^-?\d\d/.test(mantissa);
  const first = mantissa.search(/\d/);
  let out = '';
  for (let i = 0; i < mantissa.length; i++) {
    const edge = (i === first && long) || (i === mantissa.length - 1 && mantissa.includes('.'));
    out += /\d/.test(mantissa[i]!) ? (edge ? 1 + pick(9) : pick(10)) : mantissa[i];
  }
  return out + shape.slice(mantissa.length);
}
