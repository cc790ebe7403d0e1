import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { BookmarkFolder } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { describeError } from '../ui/toasts.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';
import { saveFolder } from './folders.ts';

/** Opens the form for a new folder or the name of an existing one. */
export function openFolderForm(folder?: BookmarkFolder, onSaved?: (folder: BookmarkFolder) => void): void {
  openDialog((close) => <FolderForm folder={folder} onSaved={onSaved} onClose={close} />);
}

interface FolderFormProps {
  readonly folder: BookmarkFolder | undefined;
  readonly onSaved: ((folder: BookmarkFolder) => void) | undefined;
  readonly onClose: () => void;
}

function FolderForm({ folder, onSaved, onClose }: FolderFormProps) {
  const formId = useId();
  const nameId = useId();
  const name = useSignal(folder?.name ?? '');
  const problem = useSignal('');
  const [save, isSaving] = useSingleRun(async () => {
    try {
      const saved = await saveFolder(name.value.trim(), folder?.id);
      onClose();
      onSaved?.(saved);
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  return (
    <Dialog
      title={folder === undefined ? t('folders.new') : t('folders.rename')}
      size="small"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button type="submit" class="button" form={formId} disabled={isSaving}>
            {folder === undefined ? t('folders.create') : t('people.save')}
          </button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="field">
          <label for={nameId}>{t('folders.name')}</label>
          <input
            id={nameId}
            type="text"
            dir="auto"
            required
            pattern=".*\S.*"
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <span class="problem" role="alert">
            {problem.value}
          </span>
        </div>
      </form>
    </Dialog>
  );
}
