import { signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { List } from '../api/entities.ts';
import { showError } from '../ui/toasts.tsx';

/** The reader's lists, by title; undefined until they are loaded. */
export const lists = signal<readonly List[] | undefined>(undefined);

const byTitle = (all: readonly List[]): readonly List[] =>
  all.toSorted((one, other) => one.title.localeCompare(other.title));

const known = (): readonly List[] => lists.peek() ?? [];

/** Loads the lists. Those that are known stay until then. */
export async function loadLists(abortSignal: AbortSignal): Promise<void> {
  lists.value = byTitle(await request<readonly List[]>('GET', '/api/v1/lists', { signal: abortSignal }));
}

/** Creates a list, or changes the one with the id. Rejects if the server refuses. */
export async function saveList(input: Omit<List, 'id'>, id?: string): Promise<List> {
  const list = await (id === undefined
    ? request<List>('POST', '/api/v1/lists', { body: input })
    : request<List>('PUT', `/api/v1/lists/${id}`, { body: input }));
  lists.value = byTitle([...known().filter((one) => one.id !== list.id), list]);
  return list;
}

/** Deletes a list. It disappears at once, and returns with a message if the server refuses. */
export async function deleteList(list: List): Promise<void> {
  lists.value = known().filter(({ id }) => id !== list.id);
  try {
    await request('DELETE', `/api/v1/lists/${list.id}`);
  } catch (error) {
    lists.value = byTitle([...known(), list]);
    showError(error, () => void deleteList(list));
  }
}

/** Adds an account to a list, or removes it. Rejects if the server refuses. */
export const setListMember = (listId: string, accountId: string, isMember: boolean): Promise<void> =>
  request(isMember ? 'POST' : 'DELETE', `/api/v1/lists/${listId}/accounts`, { body: { account_ids: [accountId] } });
