/**
 * The smoke in Firefox: the hook in time, the capture, the verdict, the panel in Firefox's own toolbox, the export. Run by
 * `npm run test:firefox`, which builds first; FIREFOX_PATH names the program, RUNLENS_FIREFOX_REPORT the file for the counts.
 */
import { deepStrictEqual, ok } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAgent } from '../agent/server.ts';
import { chunksOf } from '../panel.ts';
import { PAGES, ROOT } from '../root.ts';
import { type Firefox, launchFirefox } from './bidi.ts';
import { openToolbox, type Toolbox } from './toolbox.ts';

const HANG = 60_000;
/** Everything happens in the page's first script: a hook that came later would miss it. */
const FIRST = `<!doctype html><title>first</title><script>
const body = { threadId: 'thread-first', runId: 'run-first', messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
window.got = fetch('/agent/good?pace=2', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((response) => response.text());
</script>`;

const root = (name: string) => `document.querySelector('[data-testid="runlens"]')?.getAttribute('${name}') ?? ''`;
/** Chooses a tab of the panel's lower half, then reads its rows. */
const rowsOf = (tab: string, row: string, names: readonly string[]) => `(async () => {
  const tab = [...document.querySelectorAll('[role="tab"]')].find((one) => one.textContent.trim().startsWith('${tab}'));
  if (!tab) return [];
  if (tab.getAttribute('aria-selected') !== 'true') tab.click();
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  return [...document.querySelectorAll('[data-testid="${row}"]')].map((one) => ${JSON.stringify(names)}.map((name) => one.getAttribute(name)));
})()`;
const RUNS = rowsOf('Runs', 'run-row', ['data-run-id', 'data-status']);
const RULES = rowsOf('Findings', 'finding-row', ['data-rule']);

/** Reads until it is what is expected; then, or after a minute, compares. */
async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const same = (got: T) => JSON.stringify(got) === JSON.stringify(expected);
  const until = performance.now() + HANG;
  let got = await read();
  while (!same(got) && performance.now() < until) {
    await new Promise((go) => setTimeout(go, 100));
    got = await read();
  }
  deepStrictEqual(got, expected);
}

async function downloaded(folder: string): Promise<string> {
  const until = performance.now() + HANG;
  const done = () => {
    const names = readdirSync(folder);
    return names.some((name) => name.endsWith('.part')) ? undefined : names.find((name) => readFileSync(join(folder, name)).length > 0);
  };
  let name = done();
  while (!name && performance.now() < until) {
    await new Promise((go) => setTimeout(go, 100));
    name = done();
  }
  ok(name, 'Firefox saved no file');
  return readFileSync(join(folder, name), 'utf8');
}

let passed = 0;
let failed = 0;

async function check(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    passed++;
    console.log(`  ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`  FAILED  ${name}\n${String((error as Error).message ?? error).replace(/^/gm, '          ')}`);
  }
}

async function checkAll(firefox: Firefox, url: string): Promise<void> {
  let toolbox: Toolbox | null = null;
  let page = '';
  const panel = <T>(expression: string): Promise<T> => {
    if (!toolbox) throw new Error('There is no panel.');
    return toolbox.inPanel<T>(expression);
  };
  const build = join(ROOT, 'dist-firefox');
  await check('installs as a temporary add-on', async () => deepStrictEqual(await firefox.install(build), 'runlens@runlens.example'));
  await check("the page's own stream is whole", async () => {
    await firefox.navigate(`${url}blank`);
    page = await firefox.inPage<string>('window.got');
    ok(page.includes('RUN_FINISHED'));
  });
  await check('the panel opens in the toolbox and connects', async () => {
    toolbox = await openToolbox(firefox);
    await becomes(() => panel(root('data-state')), 'connected');
  });
  await check("the hook was in time: what the page's first script fetched is there, as succeeded", () =>
    becomes(() => panel(RUNS), [['run-first', 'succeeded']]),
  );
  await check('the export holds the bytes that the page read', async () => {
    await panel(
      `[...document.querySelectorAll('button')].find((one) => one.textContent.trim().startsWith('Export') || one.getAttribute('aria-label')?.startsWith('Export')).click()`,
    );
    await becomes(() => panel(`document.querySelector('[data-testid=export-file]')?.disabled`), false);
    await panel(`document.querySelector('[data-testid=export-file]').click()`);
    deepStrictEqual(Buffer.concat(chunksOf(await downloaded(firefox.downloads))).toString(), page);
  });
  await check('a navigation empties the panel', async () => {
    await firefox.navigate(`${url}bare.html`);
    await becomes(() => panel(root('data-events')), '0');
  });
  await check('a broken stream is rejected, and the finding names the rule', async () => {
    await firefox.inPage(`window.bare.read('${url}agent/step-already-open?pace=2', 'run-bad').then(({ frames }) => frames)`);
    await becomes(() => panel(RUNS), [['run-bad', 'rejected-by-violation']]);
    await becomes(() => panel(RULES), [['step-already-open']]);
  });
  await check('a reported failure is no violation', async () => {
    await firefox.inPage(`window.bare.read('${url}agent/run-error?pace=2', 'run-failed').then(({ frames }) => frames)`);
    await becomes(async () => (await panel<string[][]>(RUNS)).at(-1), ['run-failed', 'failed-by-report']);
  });
  if (!toolbox) return;
  mkdirSync(join(ROOT, 'test-results'), { recursive: true });
  writeFileSync(join(ROOT, 'test-results/firefox.png'), await (toolbox as Toolbox).picture());
  console.log('          picture: test-results/firefox.png');
}

const agent = await startAgent({ pages: PAGES, blank: FIRST });
try {
  const firefox = await launchFirefox(process.env['FIREFOX_PATH'] ?? '');
  try {
    await checkAll(firefox, agent.url);
  } finally {
    await firefox.close();
  }
} catch (error) {
  failed++;
  console.log(`  FAILED  ${(error as Error).message}`);
} finally {
  await agent.close();
}
const report = process.env['RUNLENS_FIREFOX_REPORT'];
if (report) writeFileSync(report, JSON.stringify({ passed, failed, skipped: 0 }));
process.exit(failed > 0 ? 1 : 0);
