import { parse } from 'csv-parse/sync';

/** A row of a CSV file: the values by the names of the columns. */
export type CsvRow = Readonly<Record<string, string>>;

/**
 * Parses CSV whose first line names the columns, of at most `maxRows` rows. Names are in lower case and without a leading
 * `#`. Without such a line, the only column is `defaultColumn`. Throws CsvError for text that is not CSV.
 */
export function parseCsv(text: string, maxRows: number, defaultColumn: string): CsvRow[] {
  const rows: string[][] = parse(text, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxRecordLength,
    // One more than allowed, and the header.
    to: maxRows + 2,
  });
  const names = rows[0]?.map((name) => name.replace(/^#/, '').trim().toLowerCase()) ?? [];
  const hasHeader = rows[0]?.[0]?.startsWith('#') === true || names.includes(defaultColumn);
  const columns = hasHeader ? names : [defaultColumn];
  return rows
    .slice(hasHeader ? 1 : 0)
    .map((row) =>
      Object.fromEntries(columns.flatMap((name, place) => (row[place] === undefined ? [] : [[name, row[place]]]))),
    );
}

/** Characters of one row. */
const maxRecordLength = 32_768;
