import { apply, bare, functionText, lookUp, NativeProxy } from './natives.ts';

/**
 * A function that passes for `original`: name, length, own properties and `toString()` are the original's; `traps` decide what a
 * call or a construction does. `Function.prototype.toString.call()` cannot be served without patching a prototype of the page.
 */
export function disguise<F extends object>(original: F, traps: Pick<ProxyHandler<F>, 'apply' | 'construct'>): F {
  const text = apply(functionText, original, []);
  const get = (target: object, key: PropertyKey): unknown => {
    const value = lookUp(target, key);
    return key === 'toString' && value === functionText ? toText : value;
  };
  // asked of anything but the two, this toString works as the page's own
  const textOf = (target: typeof functionText, self: unknown, args: []) => (self === proxy ? text : apply(target, self === toText ? functionText : self, args));
  const toText: typeof functionText = new NativeProxy(functionText, bare({ apply: textOf, get }) as ProxyHandler<typeof functionText>);
  const proxy: F = new NativeProxy(original, bare({ ...traps, get }) as ProxyHandler<F>);
  return proxy;
}
