import { parse } from 'csv-parse/sync';

/** A row of a CSV file: the values by the names of the columns. */
export type CsvRow = Readonly<Record<string, string>>;

/** A row with the number of its last line in the file, from 1. */
export interface CsvLine {
  readonly line: number;
  readonly row: CsvRow;
}

/** A record as the parser returns it with `info`. */
interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Parses CSV whose first line names the columns, of at most `maxRows` rows. Names are in lower case and without a leading
 * `#`. Without such a line, the only column is `defaultColumn`. Throws CsvError for text that is not CSV.
 */
export function parseCsv(text: string, maxRows: number, defaultColumn: string): CsvLine[] {
  const records = parse(text, {
    info: true,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxRecordLength,
    // One more than allowed, and the header.
    to: maxRows + 2,
  }) as unknown as CsvRecord[];
  const [first] = records;
  const names = first?.record.map((name) => name.replace(/^#/, '').trim().toLowerCase()) ?? [];
  const hasHeader = first?.record[0]?.startsWith('#') === true || names.includes(defaultColumn);
  const columns = hasHeader ? names : [defaultColumn];
  return records
    .slice(hasHeader ? 1 : 0)
    .map(({ record, info }) => ({ line: info.lines, row: toRow(columns, record) }));
}

function toRow(columns: readonly string[], record: readonly string[]): CsvRow {
  return Object.fromEntries(
    columns.flatMap((name, place) => (record[place] === undefined ? [] : [[name, record[place]]])),
  );
}

/** Characters of one row. */
const maxRecordLength = 32_768;
