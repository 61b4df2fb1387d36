/** The shape of every bench result: a figure, what it is measured against in the same run, and the bound the project promises. */

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the value is a ratio of, or how it was counted. */
  readonly against: string;
  readonly bound?: { readonly atMost: number } | { readonly atLeast: number };
}

/** Whether a figure keeps its promise; figures without a bound always do. */
export function kept(figure: Figure): boolean {
  if (!figure.bound) return true;
  return 'atMost' in figure.bound ? figure.value <= figure.bound.atMost : figure.value >= figure.bound.atLeast;
}

/** CPU milliseconds (all threads of this process) of the cheapest of `times` calls: wall time would measure what else the machine does. */
export function best(times: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    globalThis.gc?.();
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** One line a figure, aligned. */
export function print(figures: readonly Figure[]): string {
  const rows = figures.map((f) => {
    const bound = f.bound ? ('atMost' in f.bound ? `≤ ${f.bound.atMost}` : `≥ ${f.bound.atLeast}`) : '';
    return [kept(f) ? 'ok  ' : 'OVER', f.name, `${Number(f.value.toPrecision(3))} ${f.unit}`, bound, f.against];
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, i) => (i < 4 ? cell.padEnd(widths[i]!) : cell)).join('  ')).join('\n');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The least value that `share` of them (0 to 1) do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Prints the figures, as a table or with `--json` for machines. The process fails when one misses its bound. */
export function report(figures: readonly Figure[]): void {
  console.log(process.argv.includes('--json') ? JSON.stringify(figures, null, 2) : print(figures));
  process.exitCode = figures.every(kept) ? 0 : 1;
}
