import type { Account, Collection } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { showError } from '../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { openCollectionForm } from './collection-form.tsx';
import { addToCollection, itemOf, loadOwnCollections, removeFromCollection } from './collections.ts';
import '../ui/choices.css';

interface AddToCollectionsProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** The reader's collections as checkboxes: which of them contain an account. */
export function AddToCollectionsDialog({ account, onClose }: AddToCollectionsProps) {
  const collections = useLoaded<readonly Collection[]>('own', loadOwnCollections);
  const toggle = async (collection: Collection): Promise<void> => {
    const item = itemOf(collection, account.id);
    try {
      await (item === undefined
        ? addToCollection(collection.id, account)
        : removeFromCollection(collection.id, item.id));
    } catch (error) {
      showError(error, () => void toggle(collection));
    }
    await collections.load();
  };
  const list = collections.value;
  return (
    <Dialog
      title={t('collections.addNameTo', { name: nameOf(account) })}
      size="small"
      onClose={onClose}
      actions={
        <>
          <button
            type="button"
            class="button quiet"
            onClick={() => openCollectionForm(undefined, (collection) => void toggle(collection))}
          >
            {t('collections.new')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('people.done')}
          </button>
        </>
      }
    >
      {list === undefined ? (
        <NotLoaded of={collections} count={1} />
      ) : (
        <fieldset class="plain">
          <legend class="visually-hidden">{t('collections.title')}</legend>
          <p class="soft">{list.length === 0 ? t('collections.emptyHint') : t('collections.addHint')}</p>
          <div class="choices">
            {list.map((collection) => (
              <Choice
                key={collection.id}
                collection={collection}
                account={account}
                onToggle={() => void toggle(collection)}
              />
            ))}
          </div>
        </fieldset>
      )}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly collection: Collection;
  readonly account: Account;
  readonly onToggle: () => void;
}

function Choice({ collection, account, onToggle }: ChoiceProps) {
  const item = itemOf(collection, account.id);
  return (
    <label class="choice">
      <input type="checkbox" checked={item !== undefined} onChange={onToggle} />
      <span dir="auto">
        {collection.name}
        {item?.state === 'pending' && <small>{t('collections.pending')}</small>}
      </span>
    </label>
  );
}
