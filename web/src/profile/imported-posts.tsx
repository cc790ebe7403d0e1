import { signal } from '@preact/signals';
import type { Query } from '../api/client.ts';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { domainOf } from '../people/index.ts';
import type { MenuItem } from '../ui/menu.tsx';

/** Which posts of a profile are shown: all, or those that its owner imported left out or alone. */
type ImportedPosts = 'all' | 'without' | 'only';

/** By account, until the window is closed. All posts are shown of the others. */
const chosen = signal<ReadonlyMap<string, ImportedPosts>>(new Map());

export const importedPostsOf = (accountId: string): ImportedPosts => chosen.value.get(accountId) ?? 'all';

const choose = (accountId: string, imported: ImportedPosts): void => {
  chosen.value = new Map(chosen.value).set(accountId, imported);
};

/** Returns the parameters of `/api/v1/accounts/:id/statuses`. */
export const importedPostsQuery = (imported: ImportedPosts): Query => ({
  exclude_imported: imported === 'without' || undefined,
  only_imported: imported === 'only' || undefined,
});

const labelOf = (imported: ImportedPosts): string => {
  if (imported === 'all') return t('profile.allPosts');
  return imported === 'only' ? t('profile.onlyImported') : t('profile.withoutImported');
};

/** The choice in the menu of a profile. Only local people import posts. */
export function importedPostsItems(account: Account): readonly (MenuItem | 'separator')[] {
  if (account.group || domainOf(account) !== undefined) return [];
  const shown = importedPostsOf(account.id);
  return [
    'separator',
    ...(['all', 'without', 'only'] as const).map((imported) => ({
      label: labelOf(imported),
      isChecked: imported === shown,
      onSelect: () => choose(account.id, imported),
    })),
  ];
}

/** Says which posts of a profile are left out, with a way back to all. Nothing if all are shown. */
export function ImportedPostsNotice({ accountId }: { readonly accountId: string }) {
  const shown = importedPostsOf(accountId);
  if (shown === 'all') return null;
  return (
    <div class="profile-notice">
      <p role="status">{labelOf(shown)}</p>
      <button type="button" class="button quiet" onClick={() => choose(accountId, 'all')}>
        {labelOf('all')}
      </button>
    </div>
  );
}
