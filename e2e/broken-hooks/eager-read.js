// Broken on purpose: reads as fast as the network gives, whether the page asks or not, so the server never feels back-pressure.
{
  const native = fetch;
  window.fetch = new Proxy(native, {
    async apply(target, self, args) {
      const response = await Reflect.apply(target, self, args);
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
      const reader = response.body.getReader();
      const body = new ReadableStream({
        type: 'bytes',
        async start(controller) {
          for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            controller.enqueue(value);
          }
          controller.close();
        },
        cancel: (reason) => reader.cancel(reason),
      });
      return new Response(body, response);
    },
  });
}
