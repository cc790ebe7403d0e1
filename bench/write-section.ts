import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { replaceSection } from './markdown-section.ts';

/** Prints a section, and writes it to docs/benchmarks.md unless it shall only be printed. */
export function writeSection(section: string, { print }: { readonly print: boolean }): void {
  process.stdout.write(section);
  const file = join(import.meta.dirname, '..', 'docs', 'benchmarks.md');
  if (!print) writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), section));
}

/** Returns the lines of a section about how, when and where it was measured. */
export const describeRun = (command: string): string[] => [
  `- Command: \`${command}\``,
  `- Date: ${new Date().toISOString().slice(0, 10)}, commit ${describeCommit()}`,
  `- Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}; load ${loadavg()[1]?.toFixed(1)}, of which the benchmark is 1 to 2`,
];

/** Returns the checked out commit, marked if files were changed since. */
function describeCommit(): string {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty=, changed'], { encoding: 'utf8' });
  return stdout.trim() || 'unknown';
}
