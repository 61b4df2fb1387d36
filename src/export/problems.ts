/** What could not be read of a file, in sentences: the first hundred, and the number of the rest. */

export interface Problem {
  /** 1-based line of the file, or null when it is about the whole file. */
  readonly line: number | null;
  /** A whole sentence. */
  readonly message: string;
}

export interface Problems {
  readonly list: Problem[];
  unlisted: number;
}

/** Problems of a file beyond these are counted, not listed. */
export const MOST_PROBLEMS = 100;

export function createProblems(): Problems {
  return { list: [], unlisted: 0 };
}

export function tell(problems: Problems, line: number | null, message: string): void {
  if (problems.list.length < MOST_PROBLEMS) problems.list.push({ line, message });
  else problems.unlisted++;
}

/** Tells what is wrong with the file as a whole, however many problems there are. */
export function tellOfFile({ list }: Problems, message: string): void {
  list.push({ line: null, message });
}

/** The file is over: tells how many more there were. `what` ends that sentence, without its full stop. */
export function endProblems({ list, unlisted }: Problems, what: string): void {
  if (unlisted > 0) list.push({ line: null, message: `${unlisted} more ${what}.` });
}
