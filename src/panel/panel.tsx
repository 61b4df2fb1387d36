/** Entry of the panel page: DevTools panel, or a plain tab. */
import { render } from 'preact';
import { App } from './app.tsx';
import { extensionPlatform, storedSettings } from './platform.ts';
import { createPanel, PanelContext } from './state/panel.ts';
import { followTheme } from './state/theme.ts';

async function start(root: HTMLElement): Promise<void> {
  const platform = extensionPlatform();
  const theme = followTheme(platform.panels, document.documentElement);
  const panel = createPanel(platform, await storedSettings(), theme);
  render(
    <PanelContext.Provider value={panel}>
      <App />
    </PanelContext.Provider>,
    root,
  );
}

const root = document.getElementById('panel');
if (root) void start(root);
