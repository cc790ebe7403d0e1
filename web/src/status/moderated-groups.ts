import { request } from '../api/client.ts';
import type { Group, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { Load } from '../ui/load.ts';
import { isRemoved, removeLater } from '../ui/remove-later.ts';
import type { MenuItem } from '../ui/menu.tsx';

const moderated = new Load<readonly Group[]>();
moderated.source = (abortSignal) =>
  request<readonly Group[]>('GET', '/api/v1/fieldfare/groups', { signal: abortSignal });
let isRequested = false;

/** Loads the groups that the reader moderates again, if a menu has needed them. */
export function reloadModeratedGroups(): void {
  if (isRequested) void moderated.load();
}

/**
 * Returns the menu entries that remove a post from groups which the reader moderates. Posts of a group mention it. The groups
 * are loaded with the first post that mentions a local account; the entries follow then.
 */
export function groupItems({ id, mentions }: Status): MenuItem[] {
  if (!mentions.some(({ acct }) => !acct.includes('@'))) return [];
  if (!isRequested) queueMicrotask(() => void moderated.load());
  isRequested = true;
  const mentioned = new Set(mentions.map((mention) => mention.id));
  return (moderated.value ?? [])
    .filter((group) => mentioned.has(group.id) && !isRemoved(pathOf(group, id)))
    .map((group) => ({
      label: t('status.removeFromGroup', { name: nameOf(group.account) }),
      isDangerous: true,
      onSelect: () => void remove(group, id),
    }));
}

const pathOf = (group: Group, id: string): string => `/api/v1/fieldfare/groups/${group.id}/posts/${id}`;

const remove = (group: Group, id: string): Promise<boolean> =>
  removeLater({ text: t('status.removedFromGroup', { name: nameOf(group.account) }), path: pathOf(group, id) });
