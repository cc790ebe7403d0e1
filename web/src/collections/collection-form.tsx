import { useId } from 'preact/hooks';
import type { Collection } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { saveCollection } from './collections.ts';
import '../ui/choices.css';

/** Opens the form of a new collection, or of one that exists. */
export function openCollectionForm(collection?: Collection, onSaved?: (collection: Collection) => void): void {
  openDialog((close) => (
    <FormDialog
      title={collection === undefined ? t('collections.new') : t('collections.edit')}
      action={collection === undefined ? t('collections.create') : t('people.save')}
      save={(form) => saveCollection(readForm(form), collection?.id)}
      onSaved={onSaved}
      onClose={close}
    >
      <CollectionFields collection={collection} />
    </FormDialog>
  ));
}

function CollectionFields({ collection }: { readonly collection: Collection | undefined }) {
  const id = useId();
  return (
    <>
      <div class="field">
        <label for={`${id}name`}>{t('collections.name')}</label>
        <input id={`${id}name`} name="name" type="text" dir="auto" required defaultValue={collection?.name ?? ''} />
      </div>
      <div class="field">
        <label for={`${id}description`}>{t('collections.description')}</label>
        <textarea
          id={`${id}description`}
          name="description"
          rows={3}
          dir="auto"
          defaultValue={collection?.description ?? ''}
        />
      </div>
      <div class="field">
        <label for={`${id}tag`}>{t('collections.tag')}</label>
        <span class="hint">{t('collections.tagHint')}</span>
        <input id={`${id}tag`} name="tag" type="text" dir="auto" defaultValue={collection?.tag?.name ?? ''} />
      </div>
      <label class="choice">
        <input type="checkbox" name="discoverable" defaultChecked={collection?.discoverable ?? true} />
        <span>
          {t('collections.discoverable')}
          <small>{t('collections.discoverableHint')}</small>
        </span>
      </label>
      <label class="choice">
        <input type="checkbox" name="sensitive" defaultChecked={collection?.sensitive ?? false} />
        <span>{t('collections.sensitive')}</span>
      </label>
    </>
  );
}

function readForm(form: HTMLFormElement) {
  const data = new FormData(form);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    name: text('name'),
    description: text('description'),
    tag_name: text('tag').replace(/^#/, ''),
    discoverable: data.has('discoverable'),
    sensitive: data.has('sensitive'),
  };
}
