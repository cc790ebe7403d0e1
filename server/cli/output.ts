import { createLog } from '../platform/log.ts';
import type { Logger } from 'pino';

/** What every command takes. */
export interface OutputOptions {
  /** One line of JSON for programs in place of words for people. */
  readonly json?: boolean;
}

export const jsonOption = ['--json', 'print JSON for programs, one value a line'] as const;

/** Says the outcome of a command: as JSON, or as the lines that `words` gives. */
export function print(options: OutputOptions, value: unknown, words: () => readonly string[]): void {
  const lines = options.json === true ? [JSON.stringify(value)] : words();
  for (const line of lines) console.log(line);
}

/** Rows as aligned columns under their names. */
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

/** The log of a command: what goes wrong, on stderr. */
export function commandLog(): Logger {
  return createLog({ level: 'warn' });
}
