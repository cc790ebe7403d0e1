import { useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { BookmarkFolder } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Changes, setFields } from '../store/changes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { showError } from '../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { openFolderForm } from './folder-form.tsx';
import { folders, loadFolders, setInFolder } from './folders.ts';
import '../ui/choices.css';

interface PutIntoFoldersDialogProps {
  readonly statusId: string;
  readonly onClose: () => void;
}

/** The reader's folders as checkboxes: which of them contain a bookmark. */
export function PutIntoFoldersDialog({ statusId, onClose }: PutIntoFoldersDialogProps) {
  const chosen = useLoaded<ReadonlySet<string>>(statusId, async (signal) => {
    const path = `/api/v1/fieldfare/statuses/${statusId}/bookmark_folders`;
    const [found] = await Promise.all([
      request<readonly BookmarkFolder[]>('GET', path, { signal }),
      loadFolders(signal),
    ]);
    return new Set(found.map(({ id }) => id));
  });
  const changes = useMemo(
    () =>
      new Changes<{ readonly isIn: boolean }>({
        peek: (folderId) => ({ isIn: chosen.value?.has(folderId) === true }),
        show(folderId, { isIn }) {
          const others = [...(chosen.value ?? [])].filter((id) => id !== folderId);
          chosen.value = new Set(isIn ? [...others, folderId] : others);
        },
      }),
    [chosen],
  );
  const set = async (folderId: string, isIn: boolean): Promise<void> => {
    const send = () => setInFolder(folderId, statusId, isIn).then(() => ({ isIn }));
    const onError = (error: unknown) => showError(error, () => void set(folderId, isIn));
    await changes.make(folderId, setFields({ isIn }, { send, onError }));
  };
  const all = folders.value;
  return (
    <Dialog
      title={t('folders.choose')}
      size="small"
      onClose={onClose}
      actions={
        <>
          <button
            type="button"
            class="button quiet"
            onClick={() => openFolderForm(undefined, (folder) => void set(folder.id, true))}
          >
            {t('folders.new')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('people.done')}
          </button>
        </>
      }
    >
      {chosen.value === undefined || all === undefined ? (
        <NotLoaded of={chosen} count={1} />
      ) : (
        <fieldset class="plain">
          <legend class="visually-hidden">{t('folders.title')}</legend>
          {all.length === 0 && <p>{t('folders.none')}</p>}
          <div class="choices">
            {all.map(({ id, name }) => (
              <label key={id} class="choice">
                <input
                  type="checkbox"
                  checked={chosen.value?.has(id) === true}
                  onChange={(event) => void set(id, event.currentTarget.checked)}
                />
                <span dir="auto">{name}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Dialog>
  );
}
