import { defineConfig } from '@playwright/test';

// DevTools targets attach as CDP type "other"; Playwright drops those unless this is set when it attaches.
process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';
// Node 20 keeps its WebSocket behind a flag; the spec that speaks raw CDP needs it. Workers inherit the environment.
process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --experimental-websocket`.trim();

/** Files with a browser of their own: a Playwright worker that comes from one of these to one of the others starts the shared one again. */
const OWN = ['broken-hooks/**', 'page/**', 'carriers.spec.ts', 'dark.spec.ts', 'life.spec.ts'].map((file) => `**/e2e/${file}`);
/** Has packages, a config and a command of its own. */
const APART = '**/e2e/copilotkit/**';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  // one after the other: all files that share a browser and its DevTools, then the rest
  projects: [
    { name: 'shared', testIgnore: [APART, ...OWN] },
    { name: 'own', testMatch: OWN.map((file) => file.replace(/\*\*$/, '**/*.spec.ts')), testIgnore: APART },
  ],
  globalSetup: './e2e/setup.ts',
  // hang limits only: a loaded machine may take its time
  timeout: 180_000,
  expect: { timeout: 30_000 },
  fullyParallel: false,
  workers: Number(process.env['WORKERS'] ?? 2),
  // a second try in CI, where one slip of a machine would cost a whole submission; scripts/test.mjs names what needed it
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  outputDir: 'test-results',
  reporter: [['list'], ['json', { outputFile: process.env['RUNLENS_E2E_REPORT'] ?? 'test-results/report.json' }]],
});
