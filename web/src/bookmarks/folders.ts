import { signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { BookmarkFolder } from '../api/entities.ts';
import { folderSource, shownTimelines } from '../timeline/index.ts';
import { showError } from '../ui/toasts.tsx';
import { withFolder, withoutFolder } from './folder-order.ts';

const path = '/api/v1/fieldfare/bookmark_folders';

/** The reader's folders in their order; undefined until they are loaded. */
export const folders = signal<readonly BookmarkFolder[] | undefined>(undefined);

const known = (): readonly BookmarkFolder[] => folders.peek() ?? [];

/** Loads the folders. Those that are known stay until then. */
export async function loadFolders(abortSignal: AbortSignal): Promise<void> {
  folders.value = await request<readonly BookmarkFolder[]>('GET', path, { signal: abortSignal });
}

/** Creates a folder, or renames the one with the id. Rejects if the server refuses. */
export async function saveFolder(name: string, id?: string): Promise<BookmarkFolder> {
  const body = { name };
  const folder = await (id === undefined
    ? request<BookmarkFolder>('POST', path, { body })
    : request<BookmarkFolder>('PUT', `${path}/${id}`, { body }));
  folders.value = withFolder(known(), folder);
  return folder;
}

/** Deletes a folder. It disappears at once, and returns with a message if the server refuses. */
export async function deleteFolder(folder: BookmarkFolder): Promise<void> {
  folders.value = withoutFolder(known(), folder.id);
  try {
    await request('DELETE', `${path}/${folder.id}`);
  } catch (error) {
    folders.value = withFolder(known(), folder);
    showError(error, () => void deleteFolder(folder));
  }
}

/** Puts a bookmark into a folder, or takes it out, and brings what is shown of the folder up to date. Rejects if the server refuses. */
export async function setInFolder(folderId: string, statusId: string, isIn: boolean): Promise<void> {
  await request(isIn ? 'POST' : 'DELETE', `${path}/${folderId}/statuses`, { body: { status_ids: [statusId] } });
  const { key } = folderSource(folderId);
  const shown = [...shownTimelines()].find(({ source }) => source.key === key);
  if (isIn) await shown?.load();
  else shown?.removeWhere((id) => id === statusId);
}
