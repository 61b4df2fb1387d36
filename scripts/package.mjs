/**
 * `npm run package`: builds for Chromium and Firefox, puts each build with its licences into packages/runlens-VERSION-STORE.zip. It
 * does so twice and fails where the bytes differ: whoever builds the same sources gets the same zip. Then it
 * opens the zips and fails at anything that docs/security.md does not promise. `node scripts/package.mjs --verify FILE.zip…` looks at
 * zips that are there; given a folder, at what would be packed of the build in it.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';

ensureInstalled();
const { unzipSync, zipSync } = await import('fflate');
const { disagreements, runtimePackages, thirdPartyText } = await import('./licences.mjs');
const { differences, documentedPermissions, problemsOf } = await import('./package-checks.mjs');
const { digestOf } = await import('./png.mjs');

const PACKAGES = join(ROOT, 'packages');
const STORES = [
  { store: 'chrome', folder: 'dist', args: ['build'] },
  { store: 'firefox', folder: 'dist-firefox', args: ['build', '--mode', 'firefox'] },
];
/** The same build gives the same zip: no file carries the time it was made. Zip knows no time before 1980, and this one in every time zone. */
const NO_TIME = new Date(1980, 0, 2);

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

function filesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path).split(sep).join('/'), new Uint8Array(readFileSync(path))]));
}

/** A zip of the build in `folder` with its licences. Throws where a package's licence is not the one that is documented. */
function zipOf(folder) {
  const packages = runtimePackages();
  const wrong = disagreements(packages);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const files = {
    ...filesUnder(folder),
    LICENSE: new Uint8Array(readFileSync(join(ROOT, 'LICENSE'))),
    'THIRD-PARTY.txt': new TextEncoder().encode(thirdPartyText(packages)),
  };
  return zipSync(files, { level: 9, mtime: NO_TIME });
}

function buildZip({ store, folder, args }) {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), ...args, '--logLevel', 'warn'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`The build for ${store} failed.`);
  return zipOf(join(ROOT, folder));
}

function pack(one) {
  const [bytes, again] = [buildZip(one), buildZip(one)];
  const different = differences(bytes, again);
  if (different.length > 0) throw new Error(`Two builds for ${one.store} of the same sources differ: ${different.join(', ')}.`);
  const file = join(PACKAGES, `runlens-${version}-${one.store}.zip`);
  writeFileSync(file, bytes);
  return file;
}

/** Opens a zip, or packs a folder, and prints what is wrong with it; true for a good one. */
function verify(file) {
  const promised = {
    documented: documentedPermissions(readFileSync(join(ROOT, 'docs/security.md'), 'utf8')),
    version,
    icon: digestOf(readFileSync(join(ROOT, 'public/icons/icon.svg'))),
  };
  const bytes = statSync(file).isDirectory() ? zipOf(file) : readFileSync(file);
  const files = new Map(Object.entries(unzipSync(new Uint8Array(bytes))).filter(([path]) => !path.endsWith('/')));
  const problems = problemsOf(files, promised);
  for (const problem of problems) console.error(`  ${problem}`);
  const size = `${files.size} files, ${(bytes.length / 1000).toFixed(0)} kB`;
  console.log(
    `${basename(file)}: ${size}, ${problems.length === 0 ? 'as promised' : `${problems.length} things wrong`}, SHA-256 ${digestOf(bytes).slice(0, 16)}…`,
  );
  return problems.length === 0;
}

try {
  const [flag, ...given] = process.argv.slice(2);
  let zips = given;
  if (flag !== '--verify') {
    rmSync(PACKAGES, { recursive: true, force: true });
    mkdirSync(PACKAGES, { recursive: true });
    zips = STORES.map(pack);
  }
  // all of them, so that one run names everything
  process.exit(zips.map(verify).every(Boolean) && zips.length > 0 ? 0 : 1);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
