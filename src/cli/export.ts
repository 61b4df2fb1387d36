/** `runlens export FILE`: what the panel's Export writes, from a file. The file is read twice: to know what is in it, and to write. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CaptureRecord } from '../capture/types.ts';
import {
  createExporter,
  type Exporter,
  FILE_KINDS,
  type FileFacts,
  type FileKind,
  FORMS,
  type Form,
  GROUPS,
  type Group,
  openFile,
  planOf,
  runsOfThread,
  type Scope,
  type Seen,
} from '../export/index.ts';
import { addRecord, createSession, type Session } from '../session/index.ts';
import type { Recognised } from '../session/types.ts';
import { unzipped } from './gunzip.ts';

/** What the command touches of its process. */
export interface ExportTerminal {
  /** Bytes of the file where it goes to standard output. */
  readonly out: (piece: string | Uint8Array) => unknown;
  readonly err: (text: string) => unknown;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly version: string;
}

interface Flags {
  readonly output: string;
  readonly form: Form;
  readonly run?: string;
  readonly thread?: string;
  readonly connection?: number;
  readonly redact?: ReadonlySet<Group> | 'all' | true;
  readonly gzip?: true;
  readonly name?: string;
  readonly as?: FileKind;
}

const nameOf = (recognised: Recognised | undefined): string | null => (recognised?.as === 'foreign' ? recognised.name : null);

/** The opposite of the panel's choice made by clicks: thrown with a sentence that names what there is. */
class WrongChoice extends Error {}

/** Adds the command; `done` is told the exit code: 0 written whole, 2 not, or not all of the file could be read. */
export function addExport(program: Command, terminal: ExportTerminal, done: (code: number) => void): void {
  program
    .command('export')
    .description('write a capture, or a part of it, in another form, redacted if need be')
    .argument('<file>', 'a capture, events or a body; - is standard input')
    .option('-o, --output <file>', 'where to write; - is standard output', '-')
    .addOption(new Option('--form <form>', 'what to write').choices([...FORMS]).default('capture'))
    .option('--run <id>', 'only this run (capture and raw: the whole response that carried it)')
    .option('--thread <id>', 'only the runs of this thread')
    .option('--connection <number>', 'only this connection, counted from 0', toNumber)
    .option('--redact [groups]', `replace texts by stand-ins of the same length: all (default), or of ${GROUPS.join(', ')}`, toGroups)
    .option('--gzip', 'compress')
    .option('--name <name>', 'name of a fixture’s constant, heading of a report')
    .addOption(new Option('--as <kind>', 'read the input as this kind instead of telling it by its content').choices([...FILE_KINDS]))
    .addHelpText('after', '\nExit codes: 0 written, 2 the file could not be read, or not all of it.')
    .action(async (file: string, flags: Flags) => {
      done(await exportFile(file, flags, terminal));
    });
}

function toNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 0.');
  return Number(text);
}

function toGroups(text: string): ReadonlySet<Group> | 'all' {
  if (text === 'all') return 'all';
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !(GROUPS as readonly string[]).includes(name));
  if (wrong !== undefined) throw new InvalidArgumentError(`There is no group ${wrong}; there are ${GROUPS.join(', ')}, and all.`);
  return new Set(names as Group[]);
}

async function exportFile(file: string, flags: Flags, terminal: ExportTerminal): Promise<number> {
  try {
    const source = await sourceOf(file, terminal);
    const session = createSession();
    const facts = await readInto(source(), file, flags, (record) => addRecord(session, record));
    if (session.conns.size === 0) throw new WrongChoice(facts.problems[0]?.message ?? 'There is no record in it.');
    const seen: Seen = {
      runs: session.model.runs,
      findings: session.findings,
      rows: session.rows,
      protocolOf: (conn) => nameOf(session.conns.get(conn)?.recognised),
    };
    const scope = scopeOf(seen, session, flags);
    const redact =
      flags.redact === undefined ? null : { groups: flags.redact === true ? ('all' as const) : flags.redact, salt: randomBytes(18).toString('base64') };
    const exporter = createExporter({
      form: flags.form,
      plan: planOf(seen, scope),
      header: { created: new Date().toISOString(), app: `runlens ${terminal.version}` },
      redact,
      before: facts.redacted,
      title: flags.name ?? (flags.form === 'report' ? 'Captured runs' : 'events'),
    });
    await write(piecesOf(source(), file, flags, exporter), flags, terminal);
    for (const { message } of facts.problems) terminal.err(`${file}: ${message}\n`);
    if (exporter.redacted) terminal.err(`${exporter.said()}\n`);
    return facts.problems.length > 0 ? 2 : 0;
  } catch (error) {
    terminal.err(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

/** Standard input is read once and kept; a file is read again. */
async function sourceOf(file: string, { stdin }: ExportTerminal): Promise<() => AsyncIterable<Uint8Array>> {
  if (file !== '-') return () => createReadStream(file, { highWaterMark: 256 * 1024 });
  const kept: Uint8Array[] = [];
  for await (const piece of stdin) kept.push(piece);
  return () => Readable.from(kept, { objectMode: true });
}

async function readInto(source: AsyncIterable<Uint8Array>, file: string, { as }: Flags, take: (record: CaptureRecord) => void): Promise<FileFacts> {
  const reading = openFile(basename(file), as ? { as } : {});
  const problems: { line: null; message: string }[] = [];
  try {
    for await (const bytes of unzipped(source)) for (const record of reading.take(bytes)) take(record);
  } catch (error) {
    problems.push({ line: null, message: `Reading stopped: ${error instanceof Error ? error.message : String(error)}.` });
  }
  for (const record of reading.end()) take(record);
  const facts = reading.facts();
  // a file that failed before its first byte has said enough
  return { ...facts, problems: problems.length > 0 && facts.kind === 'unknown' ? problems : [...facts.problems, ...problems] };
}

function scopeOf(seen: Seen, session: Session, { run, thread, connection, form }: Flags): Scope {
  if ([run, thread, connection].filter((choice) => choice !== undefined).length > 1) throw new WrongChoice('Choose one of --run, --thread and --connection.');
  if (run !== undefined) {
    const runs = seen.runs.filter(({ runId }) => runId === run).map(({ id }) => id);
    if (runs.length === 0) throw new WrongChoice(`There is no run ${run}; there are ${listOf(seen.runs.map(({ runId }) => runId))}.`);
    return checkedRaw(seen, { kind: 'runs', runs }, form);
  }
  if (thread !== undefined) {
    const runs = runsOfThread(seen, thread);
    if (runs.length === 0) throw new WrongChoice(`There is no thread ${thread}; there are ${listOf(seen.runs.map(({ threadId }) => threadId))}.`);
    return checkedRaw(seen, { kind: 'runs', runs }, form);
  }
  if (connection !== undefined) {
    if (!session.conns.has(connection))
      throw new WrongChoice(`There is no connection ${connection}; there are ${listOf([...session.conns.keys()].map(String))}.`);
    return { kind: 'connections', conns: [connection] };
  }
  if (form !== 'raw' || session.conns.size === 1) return { kind: 'all' };
  throw new WrongChoice(
    `There are ${session.conns.size} bodies in it; choose one by --connection (${listOf([...session.conns.keys()].map(String))}), --run or --thread.`,
  );
}

/** A file of raw bytes holds one body: two would be told apart by nobody. */
function checkedRaw(seen: Seen, scope: Extract<Scope, { kind: 'runs' }>, form: Form): Scope {
  const conns = new Set(scope.runs.map((id) => seen.runs[id]?.conn));
  if (form !== 'raw' || conns.size === 1) return scope;
  throw new WrongChoice(`The choice has ${conns.size} bodies; choose one by --connection (${listOf([...conns].map(String))}).`);
}

function listOf(names: readonly (string | null)[]): string {
  const known = [...new Set(names.map((name) => name ?? 'without id'))];
  return known.length === 0 ? 'none' : `${known.slice(0, 12).join(', ')}${known.length > 12 ? `, and ${known.length - 12} more` : ''}`;
}

async function* piecesOf(source: AsyncIterable<Uint8Array>, file: string, { as }: Flags, exporter: Exporter): AsyncGenerator<string | Uint8Array> {
  const reading = openFile(basename(file), as ? { as } : {});
  yield* exporter.begin();
  try {
    for await (const bytes of unzipped(source)) for (const record of reading.take(bytes)) yield* exporter.take(record);
  } catch {
    // told when it was read for the first time
  }
  for (const record of reading.end()) yield* exporter.take(record);
  yield* exporter.end();
}

async function write(pieces: AsyncIterable<string | Uint8Array>, { output, gzip }: Flags, { out }: ExportTerminal): Promise<void> {
  const bytes = Readable.from(joined(pieces), { objectMode: true });
  const packed: NodeJS.ReadableStream = gzip ? bytes.pipe(createGzip()) : bytes;
  if (output !== '-') await pipeline(packed, createWriteStream(output) as Writable);
  else for await (const piece of packed) out(piece as unknown as Uint8Array);
}

const PART = 64 * 1024;

/** Small pieces together. */
async function* joined(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const part = typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece);
    parts.push(part);
    size += part.length;
    if (size < PART) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  yield Buffer.concat(parts);
}
