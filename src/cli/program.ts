/**
 * `runlens check FILE…`: the panel's checker in a terminal and in CI. `runlens serve CAPTURE`: the captured agent, answering again.
 * `runlens export FILE`: captures written in other forms.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Command, CommanderError, Option } from 'commander';
import { isRule, RULES, ruleOf } from '../checker/catalogue.ts';
import type { Severity, StreamEnd } from '../checker/types.ts';
import { FILE_KINDS, type FileKind } from '../export/index.ts';
import { parseJson } from '../stream/index.ts';
import { type CheckedInput, checkInput, type InputOptions } from './check-input.ts';
import { addExport } from './export.ts';
import { toJunit } from './formats/junit.ts';
import { toSarif } from './formats/sarif.ts';
import { unzipped } from './gunzip.ts';
import { type Look, prettyFile, prettyRule, prettySummary, suggest } from './pretty.ts';
import { withProgress } from './progress.ts';
import { countOver, githubLines, jsonLine, jsonReport } from './report.ts';
import { addServe } from './serve.ts';

/** What the program touches of its process; tests bring their own. */
export interface Terminal {
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly look: Look;
  /** Whether `err` is a terminal that a progress line can be drawn on. */
  readonly live: boolean;
  readonly version: string;
}

interface Flags {
  readonly as?: FileKind;
  readonly end?: StreamEnd;
  readonly request?: string;
  readonly enable?: readonly string[];
  readonly disable?: readonly string[];
  readonly failOn: Severity | 'none';
  readonly format: (typeof FORMATS)[number];
  readonly explain?: string;
}

const FORMATS = ['pretty', 'json', 'github', 'sarif', 'junit'] as const;

/** A file this large gets a progress line. */
const LONG = 50 * 1024 * 1024;

const CLEAN = 0;
const FOUND = 1;
const UNREAD = 2;

/** Runs the program with the arguments after its name; answers the exit code: 0 clean, 1 findings at or over the threshold, 2 could not read. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = CLEAN;
  const program = new Command('runlens')
    .description('Checks AG-UI event streams against the protocol.')
    .version(terminal.version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const listed = (value: string, before: readonly string[] = []): string[] => [...before, ...value.split(',').map((rule) => rule.trim())];
  program
    .command('check')
    .description('check captures, events as JSON lines or a JSON array, SSE or protobuf bodies')
    .argument('[files...]', 'files to check; - is standard input')
    .addOption(new Option('--as <kind>', 'read the input as this kind instead of telling it by its content').choices([...FILE_KINDS]))
    .addOption(new Option('--end <how>', 'how a stream ended that does not say so itself (default: closed)').choices(['closed', 'aborted', 'error', 'open']))
    .option('--request <file>', 'the RunAgentInput that the streams answer, as JSON')
    .option('--enable <rules>', 'turn rules on, by id, separated by commas', listed)
    .option('--disable <rules>', 'turn rules off', listed)
    .addOption(
      new Option('--fail-on <severity>', 'the least severe finding that makes the exit code 1')
        .choices(['violation', 'deviation', 'advice', 'none'])
        .default('violation'),
    )
    .addOption(new Option('--format <format>', 'what is printed').choices([...FORMATS]).default('pretty'))
    .option('--explain <rule>', 'tell what a rule means, what causes it and how to fix it')
    .addHelpText('after', '\nExit codes: 0 clean, 1 findings at or over the threshold, 2 something could not be read.')
    .action(async (files: string[], flags: Flags) => {
      code = flags.explain === undefined ? await checkFiles(files, flags, terminal) : explain(flags.explain, terminal);
    });
  addServe(program, terminal, (exit) => {
    code = exit;
  });
  addExport(program, terminal, (exit) => {
    code = exit;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? CLEAN : UNREAD;
    throw error;
  }
}

function explain(name: string, terminal: Terminal): number {
  if (!isRule(name)) {
    terminal.err(`${suggest(name, RULES)}\n`);
    return UNREAD;
  }
  terminal.out(prettyRule(ruleOf(name), terminal.look));
  return CLEAN;
}

async function checkFiles(files: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const options = await optionsOf(files, flags);
  if (typeof options === 'string') {
    terminal.err(`${options}\n`);
    return UNREAD;
  }
  const inputs: CheckedInput[] = [];
  let over = 0;
  for (const file of files) {
    const input = await checkFile(file, options, terminal);
    over += countOver(input, flags.failOn);
    print(file, input, flags.format, terminal);
    inputs.push(input);
  }
  if (flags.format === 'pretty') terminal.out(prettySummary(inputs, terminal.look));
  if (flags.format === 'sarif' || flags.format === 'junit') terminal.out(wholeReport(files, inputs, flags, terminal));
  if (inputs.some((input) => input.problems.length > 0)) return UNREAD;
  return over > 0 ? FOUND : CLEAN;
}

/** What the flags ask for, or the sentence that says what is wrong with them. */
async function optionsOf(files: readonly string[], flags: Flags): Promise<InputOptions | string> {
  if (files.length === 0) return 'Which file? Usage: runlens check FILE…, or - for standard input.';
  const { enable = [], disable = [] } = flags;
  const unknown = [...enable, ...disable].find((rule) => !isRule(rule));
  if (unknown !== undefined) return suggest(unknown, RULES);
  const rules = Object.fromEntries([...enable.map((rule) => [rule, true] as const), ...disable.map((rule) => [rule, false] as const)]);
  const options = { rules, ...(flags.as ? { as: flags.as } : {}), ...(flags.end ? { end: flags.end } : {}) };
  if (flags.request === undefined) return options;
  try {
    const text = await readFile(flags.request, 'utf8');
    const request = parseJson(text.replace(/^\ufeff/, ''));
    return request === undefined ? `${flags.request} is not JSON.` : { ...options, request };
  } catch (error) {
    return `${flags.request} could not be read: ${messageOf(error)}.`;
  }
}

async function checkFile(file: string, options: InputOptions, terminal: Terminal): Promise<CheckedInput> {
  if (file === '-') return checkInput(unzipped(terminal.stdin), options);
  try {
    const { size } = await stat(file);
    const pieces: AsyncIterable<Uint8Array> = createReadStream(file, { highWaterMark: 256 * 1024 });
    return await checkInput(unzipped(terminal.live && size > LONG ? withProgress(pieces, file, size, terminal.err) : pieces), options);
  } catch (error) {
    return { kind: null, connections: [], problems: [`${messageOf(error)}.`] };
  }
}

function print(file: string, input: CheckedInput, format: Flags['format'], terminal: Terminal): void {
  if (format === 'pretty') terminal.out(prettyFile(file, input, terminal.look));
  else if (format === 'github') terminal.out(githubLines(file, input));
  else if (format === 'json') {
    terminal.out(jsonLine(file, input));
    for (const problem of input.problems) terminal.err(`${file}: ${problem}\n`);
  }
}

/** SARIF and JUnit are one document for all files. */
function wholeReport(files: readonly string[], inputs: readonly CheckedInput[], { format, failOn }: Flags, { version }: Terminal): string {
  const reports = inputs.map((input, no) => ({ ...jsonReport(files[no] ?? '', input), problems: input.problems }));
  return format === 'sarif' ? toSarif(reports, { version }) : toJunit(reports, { failOn });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
