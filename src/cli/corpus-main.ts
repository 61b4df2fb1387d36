import { runCorpus } from './corpus.ts';

const directory = process.argv[2];
if (directory === undefined) {
  process.stderr.write('Which directory? Usage: npm run corpus -- DIR\n');
  process.exitCode = 2;
} else {
  const { wrong } = await runCorpus(directory, (text) => process.stdout.write(text));
  process.exitCode = wrong > 0 ? 1 : 0;
}
