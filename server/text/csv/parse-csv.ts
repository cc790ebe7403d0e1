import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { unescapeFormula } from './formulas.ts';

/** A row of a CSV file: the values by the names of the columns. */
export type CsvRow = Readonly<Record<string, string>>;

/** A row with the number of its last line in the file, from 1. */
export interface CsvLine {
  readonly line: number;
  readonly row: CsvRow;
}

/** The text is not CSV. `line`: where the row that cannot be parsed begins. */
export class NotCsvError extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`line ${line} is not CSV`);
    this.line = line;
  }
}

export interface CsvFormat {
  readonly maxRows: number;
  /** The column that every row has. A line that names it is a header. */
  readonly key: string;
  /** The columns of a file without a header; without this, only the key. */
  readonly columns?: readonly string[];
}

/** A record as the parser returns it with `info` and `raw`. */
interface CsvRecord {
  readonly raw: string;
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Parses CSV of at most `maxRows` rows, and one more of a longer text. Lines end with LF, CR, CRLF or a line separator of
 * Unicode, also mixed. Names of columns are in lower case and without a leading `#`. Files may be joined: a header counts for
 * the lines that follow it. Values that `formatCsv` escaped are as they were. Rejects with NotCsvError for text that is not
 * CSV. Parses in parts, so that a long file does not delay others.
 */
export async function parseCsv(
  text: string,
  { maxRows, key, columns: defaultColumns = [key] }: CsvFormat,
): Promise<CsvLine[]> {
  const lines: CsvLine[] = [];
  let columns = defaultColumns;
  let lastLine = 0;
  for await (const { raw, record, info } of parseRecords(text)) {
    if (raw.trim().includes('\n')) assertStrict(raw, lastLine + 1);
    const names = record.map((name) => name.replace(/^#/, '').trim().toLowerCase());
    // Later, a value in another column may happen to be the name.
    const isHeader = lastLine === 0 ? names.includes(key) : names[0] === key || names[columns.indexOf(key)] === key;
    lastLine = info.lines;
    if (isHeader) columns = names;
    else lines.push({ line: info.lines, row: toRow(columns, record) });
    if (lines.length > maxRows) break;
  }
  return lines;
}

async function* parseRecords(text: string): AsyncIterable<CsvRecord> {
  let lastLine = 0;
  const onRecord = (record: string[], { lines }: { readonly lines: number }) => {
    lastLine = lines;
    return record;
  };
  const parser = parse({ ...options, relax_quotes: true, raw: true, info: true, on_record: onRecord });
  try {
    yield* Readable.from(partsOf(normalizeLines(text))).pipe(parser) as AsyncIterable<CsvRecord>;
  } catch (error) {
    throw error instanceof CsvError ? new NotCsvError(lastLine + 1) : error;
  }
}

/**
 * Throws NotCsvError for a record of several lines whose quotes are doubtful: a quote that is not closed would hide the lines
 * up to the next one.
 */
function assertStrict(raw: string, line: number): void {
  try {
    parseSync(raw, options);
  } catch (error) {
    throw error instanceof CsvError ? new NotCsvError(line) : error;
  }
}

/**
 * Returns a text whose lines end with LF, also those in quotes, without the byte order marks of the files that it was joined
 * from. Other ends: CR, CRLF, vertical tab, form feed, next line, line separator, paragraph separator.
 */
const normalizeLines = (text: string): string =>
  text.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replaceAll(/(?<=^|\n)\uFEFF+/g, '');

/** Yields the bytes of a text in parts, each in a turn of the event loop. */
async function* partsOf(text: string): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += partBytes) {
    await nextTurn();
    yield bytes.subarray(start, start + partBytes);
  }
}

function toRow(columns: readonly string[], record: readonly string[]): CsvRow {
  return Object.fromEntries(
    columns.flatMap((name, place) => (record[place] === undefined ? [] : [[name, unescapeFormula(record[place])]])),
  );
}

const options = {
  record_delimiter: '\n',
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
  /** Characters of one row. */
  max_record_size: 32_768,
};
/** Parsed in a few milliseconds. */
const partBytes = 32_768;
