import { createLog } from '../platform/log.ts';
import type { Logger } from 'pino';

export interface OutputOptions {
  /** Prints JSON instead of text. */
  readonly json?: boolean;
}

export const jsonOption = ['--json', 'print JSON, one value per line'] as const;

/** Prints the result of a command: `value` as JSON, or `text`. */
export function print(options: OutputOptions, value: unknown, text: () => readonly string[]): void {
  const lines = options.json === true ? [JSON.stringify(value)] : text();
  for (const line of lines) console.log(line);
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
export function commandLog(): Logger {
  return createLog({ level: 'warn' });
}
