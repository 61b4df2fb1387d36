/** EventSource, and that no listener of the page hears anything of ours. */
import type { Checks } from '../tools.ts';

export const events: Checks = {
  'EventSource: name, length, own keys, text': () => [
    EventSource.name,
    EventSource.length,
    Reflect.ownKeys(EventSource).map(String),
    String(EventSource),
    EventSource.toString.name,
    typeof EventSource,
  ],
  'EventSource: constants': () => [
    EventSource.CONNECTING,
    EventSource.OPEN,
    EventSource.CLOSED,
    Object.getOwnPropertyDescriptor(EventSource, 'OPEN'),
    EventSource.prototype.CLOSED,
  ],
  'EventSource: descriptors': () => [
    Object.getOwnPropertyDescriptor(window, 'EventSource')?.enumerable,
    Object.getOwnPropertyDescriptor(EventSource, 'prototype')?.writable,
    (['close', 'constructor'] as const).map((key) => {
      const d = Object.getOwnPropertyDescriptor(EventSource.prototype, key);
      return [d?.writable, d?.enumerable, d?.configurable, d?.value.name, d?.value.length, String(d?.value)];
    }),
  ],
  'EventSource: class of an object': (t) => {
    const source = new EventSource(t.url('end=hang'));
    const got = [
      source instanceof EventSource,
      source instanceof EventTarget,
      source.constructor === EventSource,
      Object.getPrototypeOf(source) === EventSource.prototype,
      Object.prototype.toString.call(source),
      Reflect.ownKeys(source),
      source.readyState,
      source.withCredentials,
      new URL(source.url).pathname,
    ];
    source.close();
    return [...got, source.readyState, source.close.name, source.addEventListener.name, source.addEventListener.length, String(source.addEventListener)];
  },
  'EventSource: refused': async (t) => [
    await t.outcome(() => new EventSource('http://')),
    await t.outcome(() => (EventSource as unknown as (url: string) => unknown)('/')),
    await t.outcome(() => new (EventSource as unknown as new () => unknown)()),
    await t.outcome(() => EventSource.prototype.close.call({} as EventSource)),
    await t.outcome(() => (new EventSource(t.url('end=hang')).addEventListener as unknown as (type: string) => void)('x')),
  ],
  'EventSource: messages': async (t) => {
    const parts = 'data: 1%0A%0A|event: RUN_STARTED%0Adata: {}%0A%0A|id: 7%0Aevent: mine%0Adata: a%0Adata: b%0A%0A|data%0A%0A|event: end%0Adata: .%0A%0A';
    const source = new EventSource(t.url(`parts=${parts}&end=hang`));
    const heard: unknown[] = [];
    const hear = (event: Event) => {
      const { type, data, lastEventId, origin, isTrusted } = event as MessageEvent;
      heard.push([type, data, lastEventId, origin === location.origin, isTrusted, event instanceof MessageEvent]);
    };
    source.onopen = ({ type, isTrusted }) => heard.push([type, isTrusted]);
    source.onmessage = hear;
    source.addEventListener('message', hear);
    source.addEventListener('RUN_STARTED', hear);
    source.addEventListener('mine', { handleEvent: hear });
    await new Promise((resolve) => source.addEventListener('end', resolve, { once: true }));
    source.close();
    return heard;
  },
  'EventSource: the page listens as it likes': async (t) => {
    const source = new EventSource(t.url('parts=event: a%0Adata: 1%0A%0A|event: a%0Adata: 2%0A%0A|event: end%0Adata: .%0A%0A&end=hang'));
    const heard: string[] = [];
    const gone = () => heard.push('gone');
    const once = () => heard.push('once');
    const stop = (event: Event) => {
      heard.push('stop');
      event.stopImmediatePropagation();
    };
    source.addEventListener('a', gone);
    source.removeEventListener('a', gone);
    source.addEventListener('a', once, { once: true });
    source.addEventListener('a', stop);
    source.addEventListener('a', () => heard.push('never'));
    source.addEventListener('b', null as unknown as () => void);
    EventTarget.prototype.addEventListener.call(source, 'a', gone, { signal: AbortSignal.abort() });
    await new Promise((resolve) => {
      source.addEventListener('end', resolve);
    });
    source.close();
    return heard;
  },
  'EventSource: events the page makes': (t) => {
    const source = new EventSource(t.url('end=hang'));
    const heard: unknown[] = [];
    source.addEventListener('message', (event) => heard.push([event.data, event.isTrusted]));
    source.addEventListener('error', (event) => heard.push(event.type));
    source.dispatchEvent(new MessageEvent('message', { data: 'mine' }));
    source.dispatchEvent(new Event('error'));
    source.close();
    return heard;
  },
  'EventSource: lost and made again': async (t) => {
    const source = new EventSource(t.url('again=204&parts=retry: 1%0Aid: 5%0Adata: 1%0A%0A'));
    const heard: unknown[] = [];
    source.onmessage = ({ data }) => heard.push(data);
    await new Promise<void>((resolve) => {
      source.onerror = () => {
        heard.push(source.readyState);
        if (source.readyState === EventSource.CLOSED) resolve();
      };
    });
    return heard;
  },
  'EventSource: of another type': async (t) => {
    const source = new EventSource(t.url('type=text/plain&parts=data: 1%0A%0A'));
    await new Promise((resolve) => {
      source.onerror = resolve;
    });
    return source.readyState;
  },
  'EventSource: subclass': async (t) => {
    class Mine extends EventSource {
      readonly heard: string[] = [];
      override close() {
        this.heard.push('close');
        super.close();
      }
    }
    const source = new Mine(t.url('parts=data: 1%0A%0A&end=hang'));
    const data = await new Promise((resolve) => source.addEventListener('message', (event) => resolve(event.data)));
    source.close();
    return [data, source.heard, source.readyState, source instanceof Mine, source.constructor === Mine, Object.getPrototypeOf(Mine) === EventSource, Mine.OPEN];
  },
  'EventSource: close reaches the server': async (t) => {
    const source = new EventSource(t.url('parts=data: 1%0A%0A&end=hang'));
    await new Promise((resolve) => {
      source.onmessage = resolve;
    });
    source.close();
    return (await t.closed()).closed;
  },
  'documented: own names of EventSource.prototype': () => Reflect.ownKeys(EventSource.prototype).map(String),
  'no listener of the page hears anything': async (t) => {
    const heard: string[] = [];
    const hear = (event: Event) => {
      if (!/^(load|visibilitychange|focus|blur|resize|pointer|mouse|error|securitypolicy)/.test(event.type)) heard.push(event.type);
    };
    for (const type of ['message', 'messageerror', '\u200brunlens', '\u200brunlens-ready', 'runlens', 'storage']) {
      window.addEventListener(type, hear, true);
      document.addEventListener(type, hear, true);
    }
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow?.addEventListener('message', hear);
    await (await t.get('parts=data: 1%0A%0A|data: 2%0A%0A', t.agent)).text();
    await (await t.get('parts=data: 1%0A%0A')).body?.cancel();
    for (let i = 0; i < 5; i += 1) await t.seen();
    frame.remove();
    return heard;
  },
};
