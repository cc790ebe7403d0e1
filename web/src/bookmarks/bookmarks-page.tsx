import folderPlus from '@phosphor-icons/core/regular/folder-plus.svg?raw';
import pencil from '@phosphor-icons/core/regular/pencil-simple.svg?raw';
import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import type { BookmarkFolder } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { openPath } from '../navigate.ts';
import { bookmarksSource, folderSource, TimelineView } from '../timeline/index.ts';
import { confirm } from '../ui/confirm.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import { openFolderForm } from './folder-form.tsx';
import { deleteFolder, folders, loadFolders } from './folders.ts';

/** The posts that the reader bookmarked: all, or those in the folder with the id. */
export function BookmarksPage({ id }: { readonly id?: string }) {
  // The bookmarks are shown without the folders if these cannot be loaded.
  useLoaded('folders', loadFolders);
  const all = folders.value ?? [];
  const folder = all.find((one) => one.id === id);
  const tabs = all.map(({ id: folderId, name }) => ({ path: pathOf(folderId), label: name }));
  return (
    <>
      <PageHeader
        title={folder?.name ?? t('nav.bookmarks')}
        actions={
          <>
            {folder !== undefined && <FolderActions folder={folder} />}
            <IconButton
              svg={folderPlus}
              label={t('folders.new')}
              onClick={() => openFolderForm(undefined, (created) => openPath(pathOf(created.id)))}
            />
          </>
        }
      />
      {all.length > 0 && (
        <Tabs label={t('folders.title')} tabs={[{ path: '/bookmarks', label: t('folders.all') }, ...tabs]} />
      )}
      <TimelineView
        key={id ?? ''}
        source={id === undefined ? bookmarksSource : folderSource(id)}
        empty={
          id === undefined ? (
            <EmptyState title={t('timeline.bookmarksEmpty')} />
          ) : (
            <EmptyState title={t('folders.empty')}>
              <p>{t('folders.emptyHint')}</p>
            </EmptyState>
          )
        }
      />
    </>
  );
}

const pathOf = (folderId: string): string => `/bookmarks/${folderId}`;

function FolderActions({ folder }: { readonly folder: BookmarkFolder }) {
  return (
    <>
      <IconButton svg={pencil} label={t('folders.rename')} onClick={() => openFolderForm(folder)} />
      <IconButton svg={trash} label={t('folders.delete')} onClick={() => void askToDelete(folder)} />
    </>
  );
}

interface IconButtonProps {
  readonly svg: string;
  readonly label: string;
  readonly onClick: () => void;
}

function IconButton({ svg, label, onClick }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon svg={svg} />
    </button>
  );
}

async function askToDelete(folder: BookmarkFolder): Promise<void> {
  const question = {
    title: t('folders.deleteTitle', { name: folder.name }),
    text: t('folders.deleteText'),
    action: t('folders.delete'),
  };
  if (!(await confirm(question))) return;
  openPath('/bookmarks', true);
  await deleteFolder(folder);
}
