import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { formatCsv } from '../../text/csv/index.ts';
import { confirmImport, createImport } from '../imports/change-imports.ts';
import { maxLines } from '../imports/parse-import.ts';
import { readItems, unpackJson, type ImportFolder, type JsonName, type UploadedArchive } from './import-folder.ts';

/**
 * Starts an import of the bookmarks, and of the favourites as bookmarks, as the user chose: as many as such an import may
 * have. Favourites cannot be imported as such, because their authors would be notified. Nothing happens while another import
 * of bookmarks runs.
 */
export async function importBookmarks(app: App, folder: ImportFolder, file: UploadedArchive): Promise<void> {
  const { row } = folder;
  const names: JsonName[] = [
    ...(row.with_bookmarks ? (['bookmarks.json'] as const) : []),
    ...(row.with_likes ? (['likes.json'] as const) : []),
  ];
  if (names.length === 0 || file.kind === 'json') return;
  const paths = await unpackJson(app, folder, file, names);
  const uris: string[] = [];
  for (const name of names) {
    const path = paths.get(name);
    if (path === undefined) continue;
    for await (const item of readItems(path)) {
      const uri = item === null ? undefined : parseUri(item);
      if (uri !== undefined && uris.length < maxLines) uris.push(uri);
    }
  }
  if (uris.length === 0) return;
  try {
    const csv = formatCsv(
      ['#uri'],
      uris.map((uri) => [uri]),
    );
    const { id } = await createImport(app, row.account_id, { type: 'bookmarks', csv, overwrite: false });
    await confirmImport(app, row.account_id, id);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

function parseUri(item: string): string | undefined {
  try {
    const uri: unknown = JSON.parse(item);
    return typeof uri === 'string' && URL.canParse(uri) ? uri : undefined;
  } catch {
    return undefined;
  }
}
