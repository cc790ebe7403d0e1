import { request } from '../api/client.ts';
import type { BookmarkFolder } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { MembershipDialog, useMemberships } from '../ui/membership-dialog.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import { openFolderForm } from './folder-form.tsx';
import { folders, loadFolders, setInFolder } from './folders.ts';

interface PutIntoFoldersDialogProps {
  readonly statusId: string;
  readonly onClose: () => void;
}

/** The reader's folders as checkboxes: which of them contain a bookmark. */
export function PutIntoFoldersDialog({ statusId, onClose }: PutIntoFoldersDialogProps) {
  const memberOf = useLoaded<ReadonlySet<string>>(statusId, async (signal) => {
    const path = `/api/v1/fieldfare/statuses/${statusId}/bookmark_folders`;
    const [found] = await Promise.all([
      request<readonly BookmarkFolder[]>('GET', path, { signal }),
      loadFolders(signal),
    ]);
    return new Set(found.map(({ id }) => id));
  });
  const set = useMemberships(memberOf, (folderId, isIn) => setInFolder(folderId, statusId, isIn));
  return (
    <MembershipDialog
      title={t('folders.choose')}
      legend={t('folders.title')}
      hint={folders.value?.length === 0 ? t('folders.none') : undefined}
      groups={folders.value}
      memberOf={memberOf}
      onChange={({ id }, isIn) => void set(id, isIn)}
      create={{
        label: t('folders.new'),
        open: () => openFolderForm(undefined, (folder) => void set(folder.id, true)),
      }}
      onClose={onClose}
    />
  );
}
