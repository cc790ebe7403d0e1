import type { App } from '../../platform/app.ts';
import { forEachInSlices } from '../../platform/batching/slices.ts';
import { HttpError, validationFailed } from '../../platform/http/http-errors.ts';
import { parseDomain, toColumns, type BlockColumns } from '../../site/domains/index.ts';
import { NotCsvError, parseCsv, type CsvLine, type CsvRow } from '../../text/csv/index.ts';
import type { RejectedLine } from './schema.ts';

/** Lines of one list. */
export const maxLines = 5_000;

/** The domains of a list with what it says about each; a later line about the same domain counts. */
export interface ParsedList<Entry> {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly rejected: readonly RejectedLine[];
}

/** Parses a list of blocks in the format of Mastodon's exports. Throws 422 if it is not CSV, or too long. */
export const parseBlockList = (app: App, csv: string): Promise<ParsedList<BlockColumns>> =>
  parseList(app, csv, toBlock);

/** Parses a list of allowed domains. Throws as `parseBlockList`. */
export const parseAllowList = (app: App, csv: string): Promise<ParsedList<true>> => parseList(app, csv, () => true);

async function parseList<Entry>(app: App, csv: string, toEntry: (row: CsvRow) => Entry): Promise<ParsedList<Entry>> {
  const entries = new Map<string, Entry>();
  const rejected: RejectedLine[] = [];
  await forEachInSlices(await readLines(csv), ({ line, row }) => {
    const text = row['domain'] ?? '';
    try {
      entries.set(parseDomain(app, text), toEntry(row));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      rejected.push({ line, domain: text.slice(0, 256), error: error.message });
    }
  });
  return { entries, rejected };
}

async function readLines(csv: string): Promise<CsvLine[]> {
  let lines: CsvLine[];
  try {
    lines = await parseCsv(csv, { maxRows: maxLines, key: 'domain' });
  } catch (error) {
    throw error instanceof NotCsvError ? validationFailed('domains.notCsv', { line: error.line }) : error;
  }
  if (lines.length > maxLines) throw validationFailed('domains.listTooLong', { max: maxLines });
  return lines;
}

/** The defaults are those of Mastodon's import: a bare list of domains suspends them. */
function toBlock(row: CsvRow): BlockColumns {
  const flag = (name: string, missing: boolean): boolean => {
    const value = row[name] ?? '';
    return value === '' ? missing : /^(?:true|t|1|yes)$/i.test(value);
  };
  return {
    severity: severityOf(row['severity']),
    reject_media: flag('reject_media', true),
    reject_reports: flag('reject_reports', true),
    obfuscate: flag('obfuscate', false),
    private_comment: null,
    public_comment: null,
    ...toColumns({ publicComment: row['public_comment'] ?? null }),
  };
}

function severityOf(text = ''): BlockColumns['severity'] {
  switch (text.toLowerCase()) {
    case '':
    case 'suspend':
      return 'suspend';
    case 'silence':
    case 'limit':
      return 'silence';
    case 'noop':
    case 'none':
      return 'noop';
    default:
      throw validationFailed('domains.unknownSeverity', { severity: text.slice(0, 50) });
  }
}
