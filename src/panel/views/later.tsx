import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * A view whose script is fetched when it is first shown: what few look at does not delay everybody's first paint. A script that does
 * not come (the extension was updated under the panel) is the pane's error.
 */
export function later(load: () => Promise<FunctionComponent>): FunctionComponent {
  let View: FunctionComponent | null = null;
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
