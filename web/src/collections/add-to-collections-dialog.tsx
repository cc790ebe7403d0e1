import { useMemo } from 'preact/hooks';
import type { Account, Collection, CollectionItem } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Changes, setFields } from '../store/changes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { showError } from '../ui/toasts.tsx';
import { offerUndo } from '../ui/undo.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { openCollectionForm } from './collection-form.tsx';
import { addToCollection, itemOf, loadOwnCollections, removeFromCollection } from './collections.ts';
import '../ui/choices.css';

interface AddToCollectionsProps {
  readonly account: Account;
  readonly onClose: () => void;
}

interface Loaded {
  readonly collections: readonly Collection[];
  /** The ids of those that contain the account. */
  readonly memberOf: ReadonlySet<string>;
}

/** The reader's collections as checkboxes: which of them contain an account. */
export function AddToCollectionsDialog({ account, onClose }: AddToCollectionsProps) {
  /** The items of the account as the server has them, by collection. */
  const items = useMemo(() => new Map<string, CollectionItem>(), []);
  const own = useLoaded<Loaded>('own', async () => {
    const collections = await loadOwnCollections();
    for (const collection of collections) {
      const item = itemOf(collection, account.id);
      if (item !== undefined) items.set(collection.id, item);
    }
    return { collections, memberOf: new Set(items.keys()) };
  });
  const changes = useMemo(
    () =>
      new Changes<{ readonly isMember: boolean }>({
        peek: (id) => ({ isMember: own.value?.memberOf.has(id) === true }),
        show(id, { isMember }) {
          if (own.value === undefined) return;
          const others = [...own.value.memberOf].filter((one) => one !== id);
          own.value = { ...own.value, memberOf: new Set(isMember ? [...others, id] : others) };
        },
      }),
    [own],
  );
  const send = async (id: string, isMember: boolean): Promise<{ isMember: boolean }> => {
    const item = items.get(id);
    if (isMember) items.set(id, await addToCollection(id, account));
    else if (item !== undefined) await removeFromCollection(id, item.id).then(() => items.delete(id));
    return { isMember };
  };
  const set = async (id: string, isMember: boolean): Promise<void> => {
    const onError = (error: unknown) => showError(error, () => void set(id, isMember));
    await changes.make(id, setFields({ isMember }, { send: () => send(id, isMember), onError }));
  };
  const change = ({ id, name }: Collection, isMember: boolean): void => {
    const names = { name: nameOf(account), list: name };
    offerUndo(isMember ? t('lists.addedTo', names) : t('lists.removedFrom', names), () => set(id, !isMember));
    void set(id, isMember);
  };
  const addToNew = (collection: Collection): void => {
    if (own.value !== undefined) own.value = { ...own.value, collections: [collection, ...own.value.collections] };
    void set(collection.id, true);
  };
  const loaded = own.value;
  return (
    <Dialog
      title={t('collections.addNameTo', { name: nameOf(account) })}
      size="small"
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button quiet" onClick={() => openCollectionForm(undefined, addToNew)}>
            {t('collections.new')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('people.done')}
          </button>
        </>
      }
    >
      {loaded === undefined ? (
        <NotLoaded of={own} count={1} />
      ) : (
        <fieldset class="plain">
          <legend class="visually-hidden">{t('collections.title')}</legend>
          <p class="soft">{loaded.collections.length === 0 ? t('collections.emptyHint') : t('collections.addHint')}</p>
          <div class="choices">
            {loaded.collections.map((collection) => {
              const { id, name } = collection;
              const isMember = loaded.memberOf.has(id);
              return (
                <label key={id} class="choice">
                  <input
                    type="checkbox"
                    checked={isMember}
                    onChange={(event) => change(collection, event.currentTarget.checked)}
                  />
                  <span dir="auto">
                    {name}
                    {isMember && items.get(id)?.state === 'pending' && <small>{t('collections.pending')}</small>}
                  </span>
                </label>
              );
            })}
          </div>
        </fieldset>
      )}
    </Dialog>
  );
}
