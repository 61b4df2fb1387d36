// Broken on purpose: tells the relay by window.postMessage, which every message listener of the page hears.
{
  const native = fetch;
  window.fetch = new Proxy(native, {
    async apply(target, self, args) {
      const response = await Reflect.apply(target, self, args);
      window.postMessage({ source: 'hook', url: response.url });
      return response;
    },
  });
}
