/**
 * `npm run corpus -- DIR`: prints the verdict of every file of a directory. Conformance files (`stream` and `expect`) are held against
 * the committed table, whose rules were read off each file's `expect`; recordings are only told.
 */
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Severity } from '../checker/types.ts';
import { checkInput } from './check-input.ts';
import { type CheckedConnection, createFold, endFold, foldValue } from './check-stream.ts';
import expectations from './conformance-table.json' with { type: 'json' };
import { prettyFile } from './pretty.ts';

/** A failed stream holds exactly this violation, its deviations are not told; any other holds exactly these deviations and no violation. */
export interface Expectation {
  readonly violation: string | null;
  readonly deviations?: readonly string[];
  /** Advice that must be there; other advice is free. */
  readonly advice?: readonly string[];
}

const TABLE: Readonly<Record<string, Expectation>> = expectations;

/** The verdict on events given as values: no framing, a clean end. */
export function checkValues(values: readonly unknown[]): CheckedConnection[] {
  const fold = createFold({ lenient: true, framingHidden: true });
  values.forEach((value, index) => {
    foldValue(fold, 0, value, index, index);
  });
  return endFold(fold);
}

/** What differs between a verdict and what the table expects, in words; null when nothing does. */
export function differenceTo(expected: Expectation, connections: readonly CheckedConnection[]): string | null {
  const found = (severity: Severity): string[] =>
    connections.flatMap((conn) => conn.findings.filter((finding) => finding.severity === severity).map((finding) => finding.rule));
  const violations = found('violation');
  const wanted = expected.violation === null ? [] : [expected.violation];
  const parts = [compare('violations', wanted, violations)];
  if (expected.deviations) parts.push(compare('deviations', expected.deviations, found('deviation')));
  const missing = (expected.advice ?? []).filter((rule) => !found('advice').includes(rule));
  if (missing.length > 0) parts.push(`advice ${missing.join(', ')} is missing`);
  return parts.filter(Boolean).join('; ') || null;
}

function compare(what: string, wanted: readonly string[], found: readonly string[]): string {
  return wanted.join() === found.join() ? '' : `${what}: expected ${wanted.join(', ') || 'none'}, found ${found.join(', ') || 'none'}`;
}

/** Checks a directory, printing as it goes. Answers how many files it saw and how many differ from the table. */
export async function runCorpus(directory: string, print: (text: string) => void, table = TABLE): Promise<{ files: number; wrong: number }> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile() && /\.(jsonl?|sse|txt|bin)$/.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
  let wrong = 0;
  let judged = 0;
  for (const path of paths.sort()) {
    const name = relative(directory, path).split(sep).join('/');
    const stream = await streamOf(path);
    if (!stream) {
      print(prettyFile(name, await checkInput(createReadStream(path), {}), { colour: false, width: 110 }));
      continue;
    }
    judged++;
    const expected = table[name];
    const connections = checkValues(stream);
    const difference = expected ? differenceTo(expected, connections) : 'it is not in the table';
    if (difference !== null) wrong++;
    const rules = connections.flatMap((conn) => conn.findings.map((finding) => `${finding.rule}@${finding.at}`));
    print(`${difference === null ? 'ok   ' : 'WRONG'} ${name}  ${rules.join(' ') || 'quiet'}${difference === null ? '' : `\n      ${difference}`}\n`);
  }
  print(judged > 0 ? `${judged} files, ${wrong} wrong\n` : `${paths.length} files\n`);
  return { files: paths.length, wrong };
}

/** The `stream` of a conformance file, null for any other file. */
async function streamOf(path: string): Promise<readonly unknown[] | null> {
  if (!path.endsWith('.json')) return null;
  const text = await readFile(path, 'utf8');
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof value !== 'object' || value === null || !('stream' in value) || !('expect' in value)) return null;
    return Array.isArray(value.stream) ? value.stream : null;
  } catch {
    return null;
  }
}
