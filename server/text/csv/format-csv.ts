import { stringify } from 'csv-stringify/sync';

/** Formats rows as CSV, with the names of the columns first unless `header` is false. */
export function formatCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | boolean)[])[],
  { header = true }: { readonly header?: boolean } = {},
): string {
  return stringify(
    rows.map((row) => [...row]),
    { header, columns: [...columns], cast: { boolean: String } },
  );
}
