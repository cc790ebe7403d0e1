import type { BookmarkFolder } from '../api/entities.ts';

/** Returns folders in their order, with one in place of that with its id, or added. */
export function withFolder(folders: readonly BookmarkFolder[], folder: BookmarkFolder): readonly BookmarkFolder[] {
  return [...withoutFolder(folders, folder.id), folder].toSorted((one, other) => one.position - other.position);
}

/** Returns folders without the one with the id. */
export const withoutFolder = (folders: readonly BookmarkFolder[], id: string): readonly BookmarkFolder[] =>
  folders.filter((folder) => folder.id !== id);
