import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Account, Collection, CollectionItem } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { MembershipDialog, useMemberships } from '../ui/membership-dialog.tsx';
import { offerUndo } from '../ui/undo.ts';
import { useLoaded } from '../ui/use-loaded.tsx';
import { openCollectionForm } from './collection-form.tsx';
import { addToCollection, itemOf, loadOwnCollections, removeFromCollection } from './collections.ts';

interface AddToCollectionsProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** The reader's collections as checkboxes: which of them contain an account. */
export function AddToCollectionsDialog({ account, onClose }: AddToCollectionsProps) {
  const collections = useSignal<readonly Collection[] | undefined>(undefined);
  /** The items of the account as the server has them, by collection. */
  const items = useMemo(() => new Map<string, CollectionItem>(), []);
  const memberOf = useLoaded<ReadonlySet<string>>('own', async () => {
    const own = await loadOwnCollections();
    for (const collection of own) {
      const item = itemOf(collection, account.id);
      if (item !== undefined) items.set(collection.id, item);
    }
    collections.value = own;
    return new Set(items.keys());
  });
  const set = useMemberships(memberOf, async (id, isMember) => {
    const item = items.get(id);
    if (isMember) items.set(id, await addToCollection(id, account));
    else if (item !== undefined) await removeFromCollection(id, item.id).then(() => items.delete(id));
  });
  const pendingNote = (id: string) =>
    memberOf.value?.has(id) === true && items.get(id)?.state === 'pending' && <small>{t('collections.pending')}</small>;
  return (
    <MembershipDialog
      title={t('collections.addNameTo', { name: nameOf(account) })}
      legend={t('collections.title')}
      hint={collections.value?.length === 0 ? t('collections.emptyHint') : t('collections.addHint')}
      groups={collections.value?.map(({ id, name }) => ({ id, name, note: pendingNote(id) }))}
      memberOf={memberOf}
      onChange={({ id, name }, isMember) => {
        const names = { name: nameOf(account), list: name };
        offerUndo(isMember ? t('lists.addedTo', names) : t('lists.removedFrom', names), () => set(id, !isMember));
        void set(id, isMember);
      }}
      create={{
        label: t('collections.new'),
        open: () =>
          openCollectionForm(undefined, (collection) => {
            collections.value = [collection, ...(collections.peek() ?? [])];
            void set(collection.id, true);
          }),
      }}
      onClose={onClose}
    />
  );
}
