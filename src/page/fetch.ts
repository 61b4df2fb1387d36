import type { Recorder } from './batches.ts';
import { disguise } from './disguise.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { apply, defineProperty, own, win } from './natives.ts';
import { scrub } from './stack.ts';
import { createWrapper } from './wrap-response.ts';

/** Puts ours in the place of the window's fetch. It looks, counts its arguments and fails as the browser's. */
export function hookFetch(recorder: Recorder): void {
  const descriptor = own(win, 'fetch') as PropertyDescriptor;
  const native = descriptor.value as typeof fetch;
  const wrap = createWrapper();

  const through = async (promise: Promise<Response>, exchange: Exchange) => {
    let response: Response;
    try {
      response = await promise;
    } catch (reason) {
      exchange.failed(reason);
      throw scrub(reason);
    }
    try {
      return wrap(response, exchange);
    } catch {
      return response;
    }
  };
  const called = (_: unknown, self: unknown, args: Parameters<typeof fetch>) => {
    const exchange = createExchange(recorder, args);
    return through(apply(native, self, args), exchange);
  };
  descriptor.value = disguise<typeof fetch>(native, { apply: called });
  defineProperty(win, 'fetch', descriptor);
}
