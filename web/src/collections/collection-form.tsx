import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Collection } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { describeError } from '../ui/toasts.tsx';
import { saveCollection } from './collections.ts';
import { useSingleRun } from '../ui/use-single-run.ts';
import '../ui/choices.css';

/** Opens the form of a new collection, or of one that exists. */
export function openCollectionForm(collection?: Collection, onSaved?: (collection: Collection) => void): void {
  openDialog((close) => <CollectionForm collection={collection} onSaved={onSaved} onClose={close} />);
}

interface CollectionFormProps {
  readonly collection: Collection | undefined;
  readonly onSaved: ((collection: Collection) => void) | undefined;
  readonly onClose: () => void;
}

function CollectionForm({ collection, onSaved, onClose }: CollectionFormProps) {
  const formId = useId();
  const problem = useSignal('');
  const [save, isSaving] = useSingleRun(async (form: HTMLFormElement) => {
    try {
      const saved = await saveCollection(readForm(form), collection?.id);
      onClose();
      onSaved?.(saved);
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  return (
    <Dialog
      title={collection === undefined ? t('collections.new') : t('collections.edit')}
      size="small"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button type="submit" class="button" form={formId} disabled={isSaving}>
            {collection === undefined ? t('collections.create') : t('people.save')}
          </button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <CollectionFields collection={collection} />
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </form>
    </Dialog>
  );
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
