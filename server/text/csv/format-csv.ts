import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from './formulas.ts';

/**
 * Formats rows as CSV, with the names of the columns first unless `header` is false. Spreadsheets do not run values as
 * formulas; `parseCsv` returns them as they were.
 */
export function formatCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | boolean)[])[],
  { header = true }: { readonly header?: boolean } = {},
): string {
  // Quoted: what some readers take for the end of a line, and spaces that they would cut off.
  return stringify(
    rows.map((row) => row.map((value) => (typeof value === 'string' ? escapeFormula(value) : value))),
    { header, columns: [...columns], cast: { boolean: String }, quoted_match: /[\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/ },
  );
}
