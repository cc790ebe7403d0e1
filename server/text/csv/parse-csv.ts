import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { unescapeFormula } from './formulas.ts';

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
 * `#`. Without such a line, the only column is `defaultColumn`. Values that `formatCsv` escaped are as they were. Rejects with CsvError for text that is not CSV. Parses in
 * parts, so that a long file does not delay others.
 */
export async function parseCsv(text: string, maxRows: number, defaultColumn: string): Promise<CsvLine[]> {
  const parser = parse({
    info: true,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxRecordLength,
    // One more than allowed, and the header.
    to: maxRows + 2,
  });
  const lines: CsvLine[] = [];
  let columns: readonly string[] | undefined;
  for await (const { record, info } of Readable.from(partsOf(text)).pipe(parser) as AsyncIterable<CsvRecord>) {
    if (columns === undefined) {
      const names = record.map((name) => name.replace(/^#/, '').trim().toLowerCase());
      const isHeader = record[0]?.startsWith('#') === true || names.includes(defaultColumn);
      columns = isHeader ? names : [defaultColumn];
      if (isHeader) continue;
    }
    lines.push({ line: info.lines, row: toRow(columns, record) });
  }
  return lines;
}

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

/** Parsed in a few milliseconds. */
const partBytes = 32_768;
/** Characters of one row. */
const maxRecordLength = 32_768;
