/** Stacks as the page would see them without us: our own lines are recognised by the extension's origin, which only they carry. */
import { $String, apply, isObject, join, NativeError, own, push, split } from './natives.ts';

const ours = /\w+-extension:\/\/[^/]+\//.exec(new NativeError().stack ?? '')?.[0];

/** What an error's own `stack` is in this engine: a value, or this getter. Any other is the page's. */
const nativeStack = own(new NativeError(), 'stack')?.get;

/** A page that formats stacks itself would be called by our reading one; then we read none. */
const formatted = () => own(NativeError, 'prepareStackTrace') !== undefined;

/** A stack without our lines. */
function pageLines(stack: string): string {
  if (!ours || !$String.includes(stack, ours)) return stack;
  const lines = split(stack, '\n');
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i += 1) if (!$String.includes(lines[i] as string, ours)) push(kept, lines[i] as string);
  return join(kept, '\n');
}

/** Marks a place in the page's code. Costs a few microseconds: the engine writes the text only when `pageStack` asks for it. */
export const mark = (): Error => new NativeError();

/** The page's frames of a mark, top first, one a line; undefined where the page formats stacks itself. */
export function pageStack(marked: Error): string | undefined {
  if (formatted()) return undefined;
  const { stack } = marked;
  if (typeof stack !== 'string') return undefined;
  const lines = pageLines(stack);
  return $String.startsWith(lines, 'Error\n') ? $String.slice(lines, 6) : lines;
}

/**
 * Takes our lines out of an error before the page sees it: the browser's own, made under a call that passed through us, and the
 * page's, thrown by a getter or toString that such a call ran. Gives the error back.
 */
export function scrub<T>(error: T): T {
  try {
    if (ours && isObject(error) && !formatted()) {
      const found = own(error, 'stack');
      const stack = found && found.get === nativeStack ? (error as { stack?: unknown }).stack : undefined;
      if (typeof stack === 'string' && $String.includes(stack, ours)) (error as { stack?: unknown }).stack = pageLines(stack);
    }
  } catch {
    // a frozen error keeps its lines
  }
  return error;
}

/** A call that passes through us, its errors scrubbed. */
export function scrubbed<F extends (...args: never[]) => unknown>(call: F, self: unknown, args: readonly unknown[]): ReturnType<F> {
  try {
    return apply(call, self, args as never) as ReturnType<F>;
  } catch (error) {
    throw scrub(error);
  }
}
