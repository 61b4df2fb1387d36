// Broken on purpose: reads one branch of a tee, so the network goes on after the page's cancel and whether the page reads or not.
{
  const native = fetch;
  window.fetch = new Proxy(native, {
    async apply(target, self, args) {
      const response = await Reflect.apply(target, self, args);
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
      const [ours, theirs] = response.body.tee();
      (async () => {
        for await (const _chunk of ours);
      })().catch(() => undefined);
      return new Response(theirs, response);
    },
  });
}
