import type { Account, Collection } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { openReport } from '../people/dialogs/index.ts';
import { me } from '../session/session.ts';
import { confirm } from '../ui/confirm.tsx';
import { copyText } from '../ui/copy-text.ts';
import { removeLater } from '../ui/remove-later.ts';
import { showError, showToast } from '../ui/toasts.tsx';
import { openCollectionForm } from './collection-form.tsx';
import { itemOf, pathOf, revokeItem } from './collections.ts';

interface CollectionActionsProps {
  readonly collection: Collection;
  readonly owner: Account | undefined;
  readonly reload: () => Promise<void>;
}

/** What the reader can do with a collection: its owner edits and deletes it, a member leaves it, others report it. */
export function CollectionActions({ collection, owner, reload }: CollectionActionsProps) {
  const item = itemOf(collection, me.value.id);
  if (collection.account_id === me.value.id)
    return (
      <div class="collection-buttons">
        <ShareButton collection={collection} />
        <button type="button" class="button quiet" onClick={() => openCollectionForm(collection, () => void reload())}>
          {t('collections.edit')}
        </button>
        <button type="button" class="button quiet" onClick={() => remove(collection)}>
          {t('collections.delete')}
        </button>
      </div>
    );
  return (
    <div class="collection-buttons">
      <ShareButton collection={collection} />
      {item !== undefined && (
        <button type="button" class="button quiet" onClick={() => void askToLeave(collection, item.id, reload)}>
          {t('collections.leave')}
        </button>
      )}
      {owner !== undefined && (
        <button
          type="button"
          class="button quiet"
          onClick={() => openReport({ account: owner, collectionIds: [collection.id] })}
        >
          {t('collections.report')}
        </button>
      )}
    </div>
  );
}

/** Shares the address, by the device if it can. Visitors without an account see the page as well. */
function ShareButton({ collection: { name, uri, url } }: Pick<CollectionActionsProps, 'collection'>) {
  const address = url ?? uri;
  const share = async (): Promise<void> => {
    if (!('share' in navigator)) return copyText(address, t('collections.linkCopied'));
    try {
      await navigator.share({ url: address, title: name });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) showError(error);
    }
  };
  return (
    <button type="button" class="button quiet" onClick={() => void share()}>
      {t('collections.share')}
    </button>
  );
}

function remove(collection: Collection): void {
  void removeLater({ text: t('collections.deleted', { name: collection.name }), path: pathOf(collection) });
  openPath(`/@${me.peek().acct}/collections`);
}

async function askToLeave(collection: Collection, itemId: string, reload: () => Promise<void>): Promise<void> {
  const question = {
    title: t('collections.leaveTitle', { name: collection.name }),
    text: t('collections.leaveText'),
    action: t('collections.leave'),
  };
  if (!(await confirm(question))) return;
  try {
    await revokeItem(collection.id, itemId);
    showToast(t('collections.left', { name: collection.name }));
    await reload();
  } catch (error) {
    showError(error, () => void askToLeave(collection, itemId, reload));
  }
}
