import { normalizeDomain, parseHandle } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { forEachInSlices } from '../../platform/batching/slices.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { NotCsvError, parseCsv, type CsvLine, type CsvRow } from '../../text/csv/index.ts';
import type { RowOptions } from '../tables.ts';
import type { ImportType } from './schema.ts';

/** Lines of a file, as in Mastodon. */
export const maxLines = 20_000;
/** Characters of a target that is stored, and of a line that is not a target. */
const maxTargetLength = 2_048;
const maxInvalidLength = 256;

/** A line of a file. An invalid one has the text of the file as its target. */
export interface ImportLine {
  readonly line: number;
  readonly target: string;
  readonly options: RowOptions;
  readonly isValid: boolean;
}

/**
 * Parses a file in Mastodon's format of exports, without repeated lines. Throws 422 if it is not CSV, has no lines or more
 * than `maxLines`.
 */
export async function parseImport(app: App, type: ImportType, csv: string): Promise<ImportLine[]> {
  const lines = await parseLines(csv, type);
  if (lines.length === 0) throw validationFailed('imports.empty');
  if (lines.length > maxLines) throw validationFailed('imports.tooLong', { max: maxLines });
  const found = new Map<string, ImportLine>();
  await forEachInSlices(lines, ({ line, row }) => {
    const options = parseOptions(type, row);
    const text = (row[columnOf(type)] ?? '').slice(0, maxTargetLength);
    const target = parseTarget(app, type, text);
    const isValid = target !== undefined && (type !== 'lists' || options.list !== '');
    const entry = { line, target: isValid ? target : text.slice(0, maxInvalidLength), options, isValid };
    const key = JSON.stringify([entry.target, options.list]);
    if (!found.has(key)) found.set(key, entry);
  });
  return [...found.values()];
}

const accountColumn = 'account address';

/** The column with the target, and its name in files without a header. */
const columnOf = (type: ImportType): string =>
  type === 'domain_blocks' ? 'domain' : type === 'bookmarks' ? 'uri' : accountColumn;

async function parseLines(csv: string, type: ImportType): Promise<CsvLine[]> {
  try {
    return await parseCsv(csv, {
      maxRows: maxLines,
      key: columnOf(type),
      // Mastodon's lists have two columns and no header.
      ...(type === 'lists' && { columns: ['list name', accountColumn] }),
    });
  } catch (error) {
    throw error instanceof NotCsvError ? validationFailed('imports.notCsv', { line: error.line }) : error;
  }
}

/** Returns the target as it is stored; undefined if it is none. */
function parseTarget(app: App, type: ImportType, text: string): string | undefined {
  if (type === 'domain_blocks') return normalizeDomain(text);
  if (type === 'bookmarks') return /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined;
  const handle = parseHandle(app, text);
  return handle === undefined || /\s/.test(handle.username)
    ? undefined
    : `${handle.username}@${handle.domain ?? app.config.domain}`.toLowerCase();
}

function parseOptions(type: ImportType, row: CsvRow): RowOptions {
  if (type === 'lists') return { list: (row['list name'] ?? '').slice(0, 256) };
  if (type === 'mutes') return { notifications: parseBoolean(row['hide notifications']) ?? true };
  if (type !== 'following') return {};
  const reblogs = parseBoolean(row['show boosts']);
  const notify = parseBoolean(row['notify on new posts']);
  const languages = row['languages']?.split(/[\s,]+/).flatMap((tag) => findLanguage(tag) ?? []);
  return {
    ...(reblogs !== undefined && { reblogs }),
    ...(notify !== undefined && { notify }),
    ...(languages !== undefined && languages.length > 0 && { languages }),
  };
}

const parseBoolean = (text: string | undefined): boolean | undefined =>
  text === undefined || text === '' ? undefined : /^(?:true|1|t|yes|on)$/i.test(text);
