import { useComputed, useSignal } from '@preact/signals';
import { requestPage } from '../api/client.ts';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { NameAndHandle } from '../ui/display-name.tsx';
import { showError } from '../ui/toasts.tsx';
import type { ShownGroup } from './group-notifications.ts';

/** A button that shows everybody of a group of notifications, loaded page by page. */
export function GroupMembers({ group }: { readonly group: ShownGroup }) {
  const isOpen = useSignal(false);
  const members = useSignal<readonly Account[]>([]);
  const first = `/api/v2/notifications/${encodeURIComponent(group.key)}/accounts`;
  const next = useSignal<string | undefined>(first);
  const hasMore = useComputed(() => next.value !== undefined && members.value.length > 0);
  const load = async (): Promise<void> => {
    if (next.value === undefined) return;
    try {
      const page = await requestPage<Account>(next.value);
      members.value = [...members.value, ...page.items];
      next.value = page.items.length === 0 ? undefined : page.next;
    } catch (error) {
      showError(error, () => void load());
    }
  };
  return (
    <>
      <button
        type="button"
        class="link small"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
          if (isOpen.value && members.value.length === 0) void load();
        }}
      >
        {isOpen.value ? t('notifications.hideAll') : t('notifications.showAll', { count: group.count })}
      </button>
      {isOpen.value && (
        <ul class="members">
          {members.value.map((account) => (
            <li key={account.id}>
              <a class="name-line" href={`/@${account.acct}`}>
                <Avatar account={account} size={32} />
                <NameAndHandle account={account} />
              </a>
            </li>
          ))}
          {hasMore.value && (
            <li>
              <button type="button" class="link small" onClick={() => void load()}>
                {t('app.showMore')}
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
