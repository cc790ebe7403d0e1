import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');
/** On a busy machine: it starts a server six times. */
const timeoutMs = 290_000;

/** Runs a benchmark and returns what it prints. Throws with all output if it fails. */
export async function runBenchmark(file: string, args: readonly string[]): Promise<string> {
  const command = [join('bench', file), ...args];
  // The measured server is started by a shell, which finds Node by PATH.
  const PATH = `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}`;
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: root,
    env: { PATH },
    timeout: timeoutMs,
  });
  return stdout;
}

export const toArguments = (options: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);

/** Returns the cells after the name of a row of a table, without the commas of large numbers. */
export const cellsOf = (section: string, name: string): string[] | undefined =>
  section
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, first]) => first === name)
    ?.slice(2, -1)
    .map((cell) => cell.replaceAll(',', ''));
