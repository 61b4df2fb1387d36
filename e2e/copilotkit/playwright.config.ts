import { defineConfig } from '@playwright/test';

// DevTools targets attach as CDP type "other"; Playwright drops those unless this is set when it attaches.
process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';
// CopilotKit's runtime reports its use over the network unless told not to.
process.env['COPILOTKIT_TELEMETRY_DISABLED'] = 'true';
process.env['DO_NOT_TRACK'] = '1';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // hang limits only: a loaded machine may take its time
  timeout: 180_000,
  expect: { timeout: 60_000 },
  workers: 1,
  // as in the other configuration
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  outputDir: '../../test-results/copilotkit',
  reporter: [['list'], ['json', { outputFile: process.env['RUNLENS_E2E_REPORT'] ?? '../../test-results/copilotkit.json' }]],
});
