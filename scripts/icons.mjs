/**
 * `node scripts/icons.mjs`: draws public/icons/icon.svg at every size the stores and browsers ask for. Each picture carries the SVG's
 * SHA-256, so that `npm run package` can tell one that is older than the drawing without drawing it again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { chromium } from 'playwright';
import { ensureChromium } from './chromium.mjs';
import { ROOT } from './install.mjs';
import { digestOf, ICON_SIZES, SOURCE_KEY } from './png.mjs';

const FOLDER = join(ROOT, 'public/icons');
const SIGNATURE_AND_HEADER = 33;

/** The picture with one more text chunk after its header. */
function withText(png, text) {
  const content = Buffer.from(`tEXt${SOURCE_KEY}\0${text}`, 'latin1');
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([png.subarray(0, SIGNATURE_AND_HEADER), chunk, png.subarray(SIGNATURE_AND_HEADER)]);
}

/** Draws all sizes into public/icons. */
async function draw() {
  const svg = readFileSync(join(FOLDER, 'icon.svg'));
  const browser = await chromium.launch({ executablePath: ensureChromium() });
  const page = await browser.newPage();
  for (const size of ICON_SIZES) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>body { margin: 0 } img { display: block; width: ${size}px; height: ${size}px }</style><img src="data:image/svg+xml;base64,${svg.toString('base64')}">`,
    );
    await page.locator('img').evaluate((image) => image.decode());
    writeFileSync(join(FOLDER, `${size}.png`), withText(await page.screenshot({ omitBackground: true }), digestOf(svg)));
    console.log(`public/icons/${size}.png`);
  }
  await browser.close();
}

await draw();
