import { isStorageKey } from '../../platform/storage/storage-keys.ts';
import { damaged } from '../backup-error.ts';
import { digestEntry } from './digest.ts';

/** Names of the entries that exist once. */
export const entryNames = {
  manifest: 'backup.json',
  settings: 'settings.env',
  database: 'database.json',
  summary: 'summary.json',
} as const;

/** Bytes of a table in one entry, before compression. */
export const rowsBytes = 8 * 1024 ** 2;

/** What an entry is, by its name. */
export type EntryKind =
  | { readonly kind: keyof typeof entryNames | 'digest' }
  | { readonly kind: 'secret'; readonly fileName: string }
  | { readonly kind: 'media'; readonly key: string }
  | { readonly kind: 'rows'; readonly table: string; readonly number: number };

/** Maximum sizes of entries that are read into memory. Compression may make rows a little larger. */
const maxBytes: Readonly<Record<EntryKind['kind'], number>> = {
  manifest: 65_536,
  settings: 1024 ** 2,
  secret: 65_536,
  media: Number.MAX_SAFE_INTEGER,
  database: 4 * 1024 ** 2,
  rows: rowsBytes + 1024 ** 2,
  summary: 4 * 1024 ** 2,
  digest: 512,
};

export const secretName = (fileName: string): string => `secrets/${fileName}`;
export const mediaName = (key: string): string => `media/${key}`;
export const rowsName = (table: string, number: number): string =>
  `database/${table}/${String(number).padStart(6, '0')}.copy.zst`;

/** Whether a file of DATA_DIR/secrets is a key. */
export const isKeyFile = (fileName: string): boolean => /^[a-z0-9][a-z0-9-]{0,60}\.key$/.test(fileName);

/**
 * Returns what an entry is. Throws BackupError for any that a backup does not have, such as links, folders, and paths
 * that lead out of DATA_DIR, and for sizes that no such entry has.
 */
export function classifyEntry({ name, size, type }: { name: string; size: number; type?: string }): EntryKind {
  const found = type === 'file' ? findKind(name) : undefined;
  if (found === undefined) throw damaged(`it contains an unknown entry (${JSON.stringify(name.slice(0, 200))})`);
  if (size > maxBytes[found.kind]) throw damaged(`${name} is too large`);
  return found;
}

function findKind(name: string): EntryKind | undefined {
  for (const kind of ['manifest', 'settings', 'database', 'summary'] as const)
    if (name === entryNames[kind]) return { kind };
  if (name === digestEntry) return { kind: 'digest' };
  const [, folder, rest = ''] = /^(media|secrets)\/(.+)$/.exec(name) ?? [];
  if (folder === 'media' && isStorageKey(rest)) return { kind: 'media', key: rest };
  if (folder === 'secrets' && isKeyFile(rest)) return { kind: 'secret', fileName: rest };
  const [, table, number] = /^database\/([a-z][a-z0-9_]{0,62})\/(\d{6,9})\.copy\.zst$/.exec(name) ?? [];
  return table === undefined ? undefined : { kind: 'rows', table, number: Number(number) };
}
