/** Times, durations, sizes and counts as text, in the reader's locale. Times are ms since the epoch, durations ms, sizes bytes. */

export interface Formats {
  /** Time since the capture began: `1:09.904`, `1:02:03.004`. */
  readonly clock: (ms: number) => string;
  /** The same with a tenth of a second. */
  readonly clockShort: (ms: number) => string;
  /** Time of day with ms. */
  readonly wall: (time: number) => string;
  /** Time of day, to the minute. */
  readonly time: (time: number) => string;
  readonly dateTime: (time: number) => string;
  /** `704 ms`, `1.20 s`, `2 min 5 s`, `3 h 4 min`. */
  readonly duration: (ms: number) => string;
  /** `391 B`, `2.9 kB`, `1.2 MB`. */
  readonly bytes: (n: number) => string;
  readonly count: (n: number) => string;
  readonly plural: (n: number, one: string, many: string) => string;
}

const number = (locale: string | undefined, digits: number, least = digits) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: digits });

/** Formats for one locale; the browser's when none is given. */
export function createFormats(locale?: string): Formats {
  const whole = number(locale, 0);
  const one = number(locale, 1);
  const two = number(locale, 2);
  const padded = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false });
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const secondsOf = (digits: number) =>
    new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, minimumFractionDigits: digits, maximumFractionDigits: digits });
  const [millis, tenths] = [secondsOf(3), secondsOf(1)];
  const wallClock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });
  const short = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

  const clockWith = (seconds: Intl.NumberFormat, step: number) => (ms: number) => {
    const sign = ms < 0 ? '−' : '';
    const rounded = Math.round(Math.abs(ms) / step) * step;
    const minutes = Math.floor(rounded / 60_000);
    const rest = seconds.format((rounded - minutes * 60_000) / 1000);
    const hours = Math.floor(minutes / 60);
    return hours > 0 ? `${sign}${plain.format(hours)}:${padded.format(minutes % 60)}:${rest}` : `${sign}${plain.format(minutes)}:${rest}`;
  };

  const duration = (ms: number) => {
    const size = Math.abs(ms);
    if (size > 0 && size < 9.95) return `${one.format(ms)} ms`;
    if (size < 999.5) return `${whole.format(ms)} ms`;
    if (size < 9_995) return `${two.format(ms / 1000)} s`;
    if (size < 59_950) return `${one.format(ms / 1000)} s`;
    const seconds = Math.round(ms / 1000);
    if (seconds < 3600) return `${whole.format(Math.floor(seconds / 60))} min ${whole.format(seconds % 60)} s`;
    return `${whole.format(Math.floor(seconds / 3600))} h ${whole.format(Math.floor((seconds % 3600) / 60))} min`;
  };

  const bytes = (n: number) => {
    if (n < 1000) return `${whole.format(n)} B`;
    if (n < 999_950) return `${one.format(n / 1000)} kB`;
    if (n < 999_950_000) return `${one.format(n / 1e6)} MB`;
    return `${one.format(n / 1e9)} GB`;
  };

  return {
    clock: clockWith(millis, 1),
    clockShort: clockWith(tenths, 100),
    wall: (time) => wallClock.format(time),
    time: (time) => short.format(time),
    dateTime: (time) => full.format(time),
    duration,
    bytes,
    count: (n) => whole.format(n),
    plural: (n, singular, many) => `${whole.format(n)} ${n === 1 ? singular : many}`,
  };
}
