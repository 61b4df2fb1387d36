// Broken on purpose: reads a clone to its end. The page's response is the browser's own, yet its cancel never reaches the server.
{
  const native = fetch;
  window.fetch = new Proxy(native, {
    async apply(target, self, args) {
      const response = await Reflect.apply(target, self, args);
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        response
          .clone()
          .arrayBuffer()
          .catch(() => undefined);
      }
      return response;
    },
  });
}
