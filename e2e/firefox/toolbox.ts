/** Our panel in Firefox's own toolbox. BiDi does not list it, so its document is reached through the browser's window. */
import type { Firefox } from './bidi.ts';

/** Runs beside the panel's document and evaluates what it is asked in that document's own world, which cannot call out unless it is given a function. */
const BESIDE = `const worlds = new Map();
addMessageListener('runlens:ask', ({ data: { no, code } }) => {
  const answer = (value, error) => {
    worlds.delete(no);
    sendAsyncMessage('runlens:answer', { no, value, error });
  };
  try {
    const world = new Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false });
    worlds.set(no, world);
    Cu.exportFunction(answer, world, { defineAs: 'answerRunlens' });
    Cu.evalInSandbox(code, world);
  } catch (error) {
    answer(null, String(error));
  }
});`;

const OPEN = `(async () => {
  const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs');
  const { gDevTools } = require('devtools/client/framework/devtools');
  const toolbox = await gDevTools.showToolboxForTab(gBrowser.selectedTab, {});
  const find = () => [...toolbox.additionalToolDefinitions.values()].find(({ label }) => label === 'Runlens')?.id;
  let id = find();
  for (const until = Date.now() + 60000; !id && Date.now() < until; id = find()) await new Promise((go) => setTimeout(go, 50));
  if (!id) throw new Error('The toolbox has no Runlens tab.');
  await toolbox.selectTool(id);
  const panel = toolbox.doc.getElementById('toolbox-panel-iframe-' + id).contentDocument.querySelector('browser');
  // before that it is an empty page, in a process that may be another one
  const isThere = () => panel.browsingContext?.currentWindowGlobal?.documentURI?.spec.startsWith('moz-extension:');
  for (const until = Date.now() + 60000; !isThere() && Date.now() < until; ) await new Promise((go) => setTimeout(go, 50));
  if (!isThere()) throw new Error('The panel has no page.');
  const waiting = new Map();
  let last = 0;
  panel.messageManager.addMessageListener('runlens:answer', ({ data: { no, value, error } }) => {
    const { resolve, reject } = waiting.get(no);
    waiting.delete(no);
    if (error === null) resolve(value);
    else reject(new Error(error));
  });
  panel.messageManager.loadFrameScript('data:,' + encodeURIComponent(${JSON.stringify(BESIDE)}), false);
  window.runlensToolbox = toolbox;
  window.askRunlens = (code) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    panel.messageManager.sendAsyncMessage('runlens:ask', { no: last, code });
  });
  return id;
})()`;

export interface Toolbox {
  /** Value of an expression in the panel's document; promises are awaited. */
  readonly inPanel: <T>(expression: string) => Promise<T>;
  /** A picture of the browser's window, PNG. */
  readonly picture: () => Promise<Buffer>;
}

/** Opens the toolbox of the tab and chooses our panel. */
export async function openToolbox(firefox: Firefox): Promise<Toolbox> {
  await firefox.inBrowser(OPEN);
  return {
    inPanel: async <T>(expression: string) => {
      const code = `(async () => JSON.stringify((await (${expression})) ?? null))().then((value) => answerRunlens(value, null), (error) => answerRunlens(null, String(error)))`;
      return JSON.parse(await firefox.inBrowser<string>(`window.askRunlens(${JSON.stringify(code)})`)) as T;
    },
    picture: async () => {
      const url = await firefox.inBrowser<string>(`(async () => {
        const bitmap = await window.browsingContext.currentWindowGlobal.drawSnapshot(null, 1, 'white');
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        canvas.getContext('2d').drawImage(bitmap, 0, 0);
        const blob = await canvas.convertToBlob();
        return new Promise((resolve) => {
          const reader = new FileReader();
          reader.onload = () => resolve(reader.result);
          reader.readAsDataURL(blob);
        });
      })()`);
      return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    },
  };
}
