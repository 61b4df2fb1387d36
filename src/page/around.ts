/** Ours in the place of the browser's: of a method, and of a class. */
import { isOpen, quietly } from './batches.ts';
import { clock } from './clock.ts';
import { disguise, replace } from './disguise.ts';
import { apply, construct, defineProperty, find, keep, NativeWeakMap, own, win } from './natives.ts';
import { mark, scrub, scrubbed } from './stack.ts';

type Look<T> = (self: T, args: readonly unknown[]) => void;
const nothing = (): void => undefined;

/** Puts ours in the place of a method, which `before` and `after` look on at; `failed` is told of a call that the browser refused. */
export function around<T extends object>(
  to: T,
  key: keyof T,
  before: Look<T> = nothing,
  after: Look<T> = nothing,
  failed: Look<T> = nothing,
  from: object = to,
): void {
  const native = (from as T)[key] as (...args: readonly unknown[]) => unknown;
  const [first, last, refused] = [quietly(before), quietly(after), quietly(failed)];
  const call = (self: T, args: readonly unknown[]) => {
    let result: unknown;
    first(self, args);
    try {
      result = apply(native, self, args);
    } catch (error) {
      refused(self, args);
      throw scrub(error);
    }
    last(self, args);
    return result;
  };
  replace(to, key, call, from);
}

/**
 * Puts ours in the place of a class of the window. `watch` begins to follow a new object, made at `time` in the code at `place`; the
 * answer calls back with what follows an object, where there is any.
 */
export function hookClass<T extends object, W extends object>(
  name: 'EventSource' | 'WebSocket',
  watch: (object: T, time: number, place: Error) => W,
): (act: (watch: W, first: unknown) => void) => Look<T> {
  const native = win[name] as unknown as { prototype: T };
  const watches = new NativeWeakMap<T, W>();
  const made = quietly((object: T, time: number, place: Error) => {
    if (isOpen()) keep(watches, object, watch(object, time, place));
  });
  const hooked: object = disguise(native, undefined, (target: object, args: never[], newTarget) => {
    const time = clock();
    const place = mark();
    const object = scrubbed(construct as never, undefined, [target, args, newTarget === hooked ? target : newTarget]) as T;
    made(object, time, place);
    return object;
  });
  const put = (target: object, key: string) => defineProperty(target, key, { ...own(target, key), value: hooked });
  put(native.prototype, 'constructor');
  put(win, name);
  return (act) => (self, args) => {
    const found = find(watches, self);
    if (found) act(found, args[0]);
  };
}
