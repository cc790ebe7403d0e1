import { useId } from 'preact/hooks';
import type { BookmarkFolder } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { saveFolder } from './folders.ts';

/** Opens the form for a new folder or the name of an existing one. */
export function openFolderForm(folder?: BookmarkFolder, onSaved?: (folder: BookmarkFolder) => void): void {
  openDialog((close) => (
    <FormDialog
      title={folder === undefined ? t('folders.new') : t('folders.rename')}
      action={folder === undefined ? t('folders.create') : t('people.save')}
      save={(form) => {
        const name = new FormData(form).get('name');
        return saveFolder(typeof name === 'string' ? name.trim() : '', folder?.id);
      }}
      onSaved={onSaved}
      onClose={close}
    >
      <NameField name={folder?.name ?? ''} />
    </FormDialog>
  ));
}

function NameField({ name }: { readonly name: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t('folders.name')}</label>
      <input id={id} name="name" type="text" dir="auto" required pattern=".*\S.*" defaultValue={name} />
    </div>
  );
}
