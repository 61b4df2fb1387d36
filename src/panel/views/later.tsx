import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const whenIdle = (run: () => void): void => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 1000 });
  else setTimeout(run);
};

/**
 * A view whose script is fetched when it is first shown: what few look at does not delay everybody's first paint. A script that does
 * not come (the extension was updated under the panel) is the pane's error. With `soon` it is fetched once the panel has painted and
 * has nothing to do, so that nobody waits for it.
 */
export function later(load: () => Promise<FunctionComponent>, soon = false): FunctionComponent {
  let View: FunctionComponent | null = null;
  if (soon) {
    whenIdle(() => {
      load().then(
        (view) => {
          View ??= view;
        },
        // told when the view is asked for
        () => undefined,
      );
    });
  }
  return () => {
    const [state, setState] = useState<'waiting' | 'there' | Error>('waiting');
    useEffect(() => {
      let shown = true;
      const tell = (news: 'there' | Error) => {
        if (shown) setState(news);
      };
      const there = (view: FunctionComponent) => {
        View = view;
        tell('there');
      };
      const failed = (reason: unknown) => tell(new Error(`This view could not be loaded. Close DevTools and open it again. (${String(reason)})`));
      if (!View) load().then(there, failed);
      return () => {
        shown = false;
      };
    }, []);
    if (state instanceof Error) throw state;
    return View && <View />;
  };
}
