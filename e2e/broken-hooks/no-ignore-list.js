// Broken on purpose: passes every call on and changes nothing, but has no source map with an ignore list.
{
  const native = fetch;
  window.fetch = new Proxy(native, { apply: (target, self, args) => Reflect.apply(target, self, args) });
}
