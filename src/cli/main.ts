/** The process around `run`: standard streams, colour, exit code. */
import { version } from '../../package.json' with { type: 'json' };
import { run } from './program.ts';

const { stdout, stderr, stdin, env } = process;

// `runlens check … | head` closes the pipe early; that is no error
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
  stdin,
  // a terminal that does not know its width says 0
  look: { colour: stdout.isTTY === true && !env['NO_COLOR'], width: stdout.columns || 100 },
  live: stderr.isTTY === true,
  version,
});
