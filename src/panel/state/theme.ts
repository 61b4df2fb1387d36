/** Light or dark after DevTools' own theme where the panel stands in DevTools, else after the system. */
import { type Signal, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

/** The part of `chrome.devtools.panels` that tells the theme; not all browsers have all of it. */
export interface PanelsTheme {
  readonly themeName?: string;
  readonly setThemeChangeHandler?: (handler: (name: string) => void) => void;
  readonly onThemeChanged?: { addListener: (handler: (name: string) => void) => void };
}

/** The theme as a signal; writes `data-theme` on the root, which tokens.css reads. */
export function followTheme(panels: PanelsTheme | null, root: HTMLElement): Signal<Theme> {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const named = (name: string): Theme => (name === 'dark' ? 'dark' : 'light');
  const theme = signal<Theme>(panels?.themeName ? named(panels.themeName) : system.matches ? 'dark' : 'light');
  if (panels?.setThemeChangeHandler) panels.setThemeChangeHandler((name) => (theme.value = named(name)));
  else if (panels?.onThemeChanged) panels.onThemeChanged.addListener((name) => (theme.value = named(name)));
  else if (!panels?.themeName) system.addEventListener('change', (event) => (theme.value = event.matches ? 'dark' : 'light'));
  theme.subscribe((name) => {
    root.dataset['theme'] = name;
  });
  return theme;
}
