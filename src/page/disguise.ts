import { apply, bare, defineProperty, functionText, lookUp, NativeProxy, own } from './natives.ts';

/** What a call of the function does. */
export type Call = (self: never, args: never) => unknown;

/**
 * A function that passes for `original`: name, length, own properties and `toString()` are the original's; `call` and `construct`
 * decide what it does. `Function.prototype.toString.call()` cannot be served without patching a prototype of the page.
 */
export function disguise<F extends object>(original: F, call?: Call, construct?: (target: F, args: never, newTarget: object) => object): F {
  const text = apply(functionText, original, []);
  const get = (target: object, key: PropertyKey): unknown => {
    const value = lookUp(target, key);
    return key === 'toString' && value === functionText ? toText : value;
  };
  const proxy = (target: object, act?: Call) =>
    new NativeProxy(target, bare({ apply: act && ((_: unknown, self: never, args: never) => act(self, args)), construct, get }) as object);
  // asked of anything but the two, this toString works as the page's own
  const toText = proxy(functionText, (self: unknown, args: []) => (self === stand ? text : apply(functionText, self === toText ? functionText : self, args)));
  const stand = proxy(original, call);
  return stand as F;
}

/** Puts one that passes for it in the place of a function of `from`, on `to`, where `from` has one. `part`: of an accessor, its getter. */
export function replace(to: object, key: PropertyKey, call: Call, from: object = to, part: 'value' | 'get' = 'value'): void {
  const descriptor = own(from, key);
  if (!descriptor) return;
  descriptor[part] = disguise(descriptor[part], call);
  defineProperty(to, key, descriptor);
}
