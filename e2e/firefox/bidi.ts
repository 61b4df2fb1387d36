/** Firefox started by hand and spoken to over WebDriver BiDi: no driver program is needed, Firefox listens itself. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Firefox {
  /** The tab that is there from the start. */
  readonly tab: string;
  /** Where downloads go. */
  readonly downloads: string;
  /** Installs an unpacked extension for as long as this Firefox runs; answers its id. */
  readonly install: (folder: string) => Promise<string>;
  readonly navigate: (url: string) => Promise<void>;
  /** Value of an expression in the tab's page; promises are awaited. */
  readonly inPage: <T>(expression: string) => Promise<T>;
  /** Value of an expression in the browser's own window, which has all rights. */
  readonly inBrowser: <T>(expression: string) => Promise<T>;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

type Send = <T>(method: string, params?: object) => Promise<T>;

const HANG = 120_000;

function preferences(downloads: string): string {
  const values = {
    'browser.shell.checkDefaultBrowser': false,
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.useDownloadDir': true,
    'browser.download.alwaysOpenPanel': false,
    'devtools.toolbox.host': 'bottom',
    'devtools.toolbox.footer.height': 420,
    'app.update.disabledForTesting': true,
    'datareporting.policy.dataSubmissionEnabled': false,
  };
  return Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

/** The address Firefox writes when it listens. */
function endpointOf(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((found, fail) => {
    let said = '';
    const hear = (part: Buffer) => {
      said += part.toString();
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
      if (address) found(address);
    };
    child.stderr?.on('data', hear);
    child.stdout?.on('data', hear);
    child.once('exit', () => fail(new Error(`Firefox ended at once: ${said.slice(-500)}`)));
    setTimeout(() => fail(new Error(`Firefox does not listen: ${said.slice(-500)}`)), HANG).unref();
  });
}

async function connect(url: string): Promise<{ send: Send; shut: () => void }> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  await new Promise((open, fail) => {
    socket.onopen = open;
    socket.onerror = () => fail(new Error(`No connection to ${url}.`));
  });
  const send: Send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const hang = setTimeout(() => reject(new Error(`${method} was not answered.`)), HANG);
      waiting.set(id, ({ type, result, error, message }) => {
        clearTimeout(hang);
        waiting.delete(id);
        if (type === 'success') resolve(result as never);
        else reject(new Error(`${method}: ${error} (${message})`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { send, shut: () => socket.close() };
}

interface Evaluated {
  readonly type: 'success' | 'exception';
  readonly result: { readonly value?: string };
  readonly exceptionDetails: { readonly text: string };
}

async function evaluate<T>(send: Send, context: string, expression: string): Promise<T> {
  const asked = `(async () => JSON.stringify((await (${expression})) ?? null))()`;
  const { type, result, exceptionDetails } = await send<Evaluated>('script.evaluate', { expression: asked, awaitPromise: true, target: { context } });
  if (type === 'exception') throw new Error(exceptionDetails.text);
  return JSON.parse(result.value ?? 'null') as T;
}

/** Starts a headless Firefox with a profile of its own, which `close` takes away. */
export async function launchFirefox(path: string): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'runlens-firefox-'));
  const downloads = join(profile, 'downloads');
  mkdirSync(downloads);
  writeFileSync(join(profile, 'user.js'), preferences(downloads));
  const flags = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', '--remote-allow-system-access', 'about:blank'];
  const env = { ...process.env, MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '800' };
  const child = spawn(path, flags, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const { send, shut } = await connect(`${await endpointOf(child)}/session`).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  await send('session.new', { capabilities: {} });
  type Tree = { contexts: readonly { context: string }[] };
  const tab = (await send<Tree>('browsingContext.getTree')).contexts[0]!.context;
  const window = (await send<Tree>('browsingContext.getTree', { 'moz:scope': 'chrome' })).contexts[0]!.context;
  return {
    tab,
    downloads,
    install: async (folder) => (await send<{ extension: string }>('webExtension.install', { extensionData: { type: 'path', path: folder } })).extension,
    navigate: async (url) => void (await send('browsingContext.navigate', { context: tab, url, wait: 'complete' })),
    inPage: (expression) => evaluate(send, tab, expression),
    inBrowser: (expression) => evaluate(send, window, expression),
    close: async () => {
      const killer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await send('browser.close').catch(() => child.kill('SIGKILL'));
      shut();
      await gone;
      clearTimeout(killer);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
