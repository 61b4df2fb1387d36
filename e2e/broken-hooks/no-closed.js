// Broken on purpose: pulls as it should, but does not watch the original's end, so a reader that is not reading never hears of it.
{
  const native = fetch;
  window.fetch = new Proxy(native, {
    async apply(target, self, args) {
      const response = await Reflect.apply(target, self, args);
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
      const reader = response.body.getReader();
      const body = new ReadableStream(
        {
          type: 'bytes',
          async pull(controller) {
            const { done, value } = await reader.read();
            if (!done) return controller.enqueue(value);
            controller.close();
            controller.byobRequest?.respond(0);
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, response);
    },
  });
}
