import { computed, signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { isRemoved, removeLater } from '../ui/remove-later.ts';

const loaded = signal<readonly List[] | undefined>(undefined);

/** The reader's lists, by title; undefined until they are loaded. */
export const lists = computed(() => loaded.value?.filter((list) => !isRemoved(pathOf(list))));

const byTitle = (all: readonly List[]): readonly List[] =>
  all.toSorted((one, other) => one.title.localeCompare(other.title));

const known = (): readonly List[] => loaded.peek() ?? [];

/** Loads the lists. Those that are known stay until then. */
export async function loadLists(abortSignal: AbortSignal): Promise<void> {
  loaded.value = byTitle(await request<readonly List[]>('GET', '/api/v1/lists', { signal: abortSignal }));
}

/** Creates a list, or changes the one with the id. Rejects if the server refuses. */
export async function saveList(input: Omit<List, 'id'>, id?: string): Promise<List> {
  const list = await (id === undefined
    ? request<List>('POST', '/api/v1/lists', { body: input })
    : request<List>('PUT', `/api/v1/lists/${id}`, { body: input }));
  loaded.value = byTitle([...known().filter((one) => one.id !== list.id), list]);
  return list;
}

const pathOf = ({ id }: List): string => `/api/v1/lists/${id}`;

/** Deletes a list, which can be undone for some seconds. */
export const deleteList = (list: List): Promise<boolean> =>
  removeLater({ text: t('lists.deleted', { title: list.title }), path: pathOf(list) });

/** Adds an account to a list, or removes it. Rejects if the server refuses. */
export const setListMember = (listId: string, accountId: string, isMember: boolean): Promise<void> =>
  request(isMember ? 'POST' : 'DELETE', `/api/v1/lists/${listId}/accounts`, { body: { account_ids: [accountId] } });
