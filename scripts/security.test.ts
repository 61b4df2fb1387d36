/** Promises of docs/security.md that the sources and the lock file keep or break. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };
import { disagreements, licencePage, runtimePackages } from './licences.mjs';

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:tsx?|html)$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => [name, readFileSync(join('src', name), 'utf8')] as const);

/** Ways from a string to markup or code. */
const SINKS =
  /\.(?:inner|outer)HTML\b|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe|DOMParser|\bsrcdoc\s*=|\bnew Function\b|(?<![\w.])eval\(/;

it('no source makes markup or code of text', () => {
  expect(SOURCES.length).toBeGreaterThan(200);
  expect(SOURCES.filter(([, text]) => SINKS.test(text)).map(([name]) => name)).toEqual([]);
  for (const bad of ['a.innerHTML = text', '<p dangerouslySetInnerHTML={{ __html: text }} />', 'new Function(text)', ' eval(text)']) expect(bad).toMatch(SINKS);
});

it('no source listens to other extensions or to pages', () => {
  const open = SOURCES.filter(([, text]) => /onMessageExternal|onConnectExternal|onUserScript/.test(text));
  expect(open.map(([name]) => name)).toEqual([]);
});

describe('content security policy', () => {
  const policy = manifest.content_security_policy.extension_pages;

  it('has no unsafe word and allows no connection', () => {
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("connect-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  it('is explained directive by directive', () => {
    const page = readFileSync('docs/security.md', 'utf8');
    for (const directive of policy.split(';')) expect(page).toContain(`\`${directive.trim()}\``);
  });
});

describe('licences', () => {
  it('are listed, and agreed to', () => {
    const packages = runtimePackages();
    expect(readFileSync('docs/licences.md', 'utf8')).toBe(licencePage(packages));
    expect(disagreements(packages)).toEqual([]);
    expect(disagreements([{ name: 'other', version: '1.0.0', licence: 'MIT AND AGPL-3.0', source: '', text: null }])).toEqual([
      expect.stringContaining('AGPL-3.0'),
    ]);
  });

  it('and every package is locked by digest', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { integrity?: string }> };
    const free = Object.entries(lock.packages).filter(([path, { integrity }]) => path !== '' && !integrity);
    expect(free.map(([path]) => path)).toEqual([]);
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
    expect(Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d/.test(version))).toEqual([]);
  });
});
