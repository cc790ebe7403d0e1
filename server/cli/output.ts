import type { Logger } from 'pino';
import { createLog } from '../platform/log.ts';
import type { CommandOptions } from './shell.ts';

export interface OutputOptions extends CommandOptions {
  /** Prints JSON instead of text. */
  readonly json?: boolean;
}

export const jsonOption = ['--json', 'print the result as one JSON value'] as const;

/** Prints the result of a command: `value` as JSON, or `text`. */
export function print(options: OutputOptions, value: unknown, text: () => readonly string[]): void {
  const lines = options.json === true ? [JSON.stringify(value)] : text();
  for (const line of lines) options.shell.console.log(line);
}

/** The result of a command for one of its names: `value` as JSON, or `text`. */
export interface OneResult {
  readonly value: unknown;
  readonly text: readonly string[];
}

/**
 * Runs a command for each of its names, and prints the results: texts one after another, JSON as one value, which is a list
 * if there are several names. If one fails, the results of those before it are printed.
 */
export async function printEach<Name>(
  options: OutputOptions,
  names: readonly Name[],
  run: (name: Name) => Promise<OneResult>,
): Promise<void> {
  const values: unknown[] = [];
  try {
    for (const name of names) {
      const { value, text } = await run(name);
      values.push(value);
      if (options.json !== true) for (const line of text) options.shell.console.log(line);
    }
  } finally {
    if (options.json === true && values.length > 0) print(options, names.length === 1 ? values[0] : values, () => []);
  }
}

/** Formats rows as aligned columns with a header. */
export function formatTable(rows: readonly Record<string, unknown>[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => formatCell(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Creates the log of a command: warnings and errors on stderr. */
export function commandLog({ shell }: CommandOptions): Logger {
  const { stderr } = shell;
  if (stderr === process.stderr) return createLog({ level: 'warn' });
  return createLog({ level: 'warn', writeLine: (line) => void stderr.write(line) });
}
