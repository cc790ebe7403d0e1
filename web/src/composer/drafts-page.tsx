import { useEffect } from 'preact/hooks';
import type { Draft } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { onSharedChange, shareChange } from '../store/other-windows.ts';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { isRemoved, removeLater } from '../ui/remove-later.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { LocalDrafts } from './local-drafts.tsx';
import { deleteLocalCopy, findSlotOfDraft } from './local-copies.ts';
import './saved-posts.css';

/** Links between drafts and scheduled posts. */
export function SavedPostTabs() {
  const tabs = [
    { path: '/drafts', label: t('drafts.title') },
    { path: '/scheduled', label: t('scheduled.title') },
  ];
  return <Tabs label={t('drafts.kinds')} tabs={tabs} />;
}

/** Returns the address of a draft in the API. */
const pathOf = ({ id }: Draft): string => `/api/v1/fieldfare/drafts/${id}`;

/** The posts that the user has begun and not published, of all devices. */
export function DraftsPage() {
  const drafts = usePages<Draft>('/api/v1/fieldfare/drafts');
  useEffect(() => onSharedChange('drafts', () => void drafts.load()), [drafts]);
  return (
    <>
      <PageHeader title={t('drafts.title')} hasBack />
      <SavedPostTabs />
      <LocalDrafts />
      <PagedList
        hasLines
        pages={drafts}
        label={t('drafts.title')}
        empty={
          <EmptyState title={t('drafts.empty')}>
            <p>{t('drafts.emptyHint')}</p>
            <a class="button" href="/publish">
              {t('nav.publish')}
            </a>
          </EmptyState>
        }
        isLeftOut={(draft) => isRemoved(pathOf(draft))}
        keyOf={({ id }) => id}
        render={(draft) => (
          <DraftItem draft={draft} onDeleted={() => drafts.removeWhere(({ id }) => id === draft.id)} />
        )}
      />
    </>
  );
}

function DraftItem({ draft, onDeleted }: { readonly draft: Draft; readonly onDeleted: () => void }) {
  const { id, posts, updated_at: updatedAt, in_reply_to_id: inReplyToId } = draft;
  const text = posts.map((post) => post.text ?? '').find((one) => one.trim() !== '') ?? '';
  const files = posts.reduce((sum, post) => sum + post.media_attachments.length, 0);
  const remove = async (): Promise<void> => {
    const slot = findSlotOfDraft(id);
    if (!(await removeLater({ text: t('drafts.deleted'), path: pathOf(draft) }))) return;
    if (slot !== undefined) deleteLocalCopy(slot);
    shareChange('drafts', 'deleted');
    onDeleted();
  };
  return (
    <article class="saved-post">
      <a href={`/publish?draft=${id}`} class="saved-text" dir="auto">
        {text === '' ? t('drafts.noText') : text}
      </a>
      <p class="soft small saved-facts">
        <RelativeTime time={updatedAt} />
        {inReplyToId !== null && <span>{t('drafts.isReply')}</span>}
        {posts.length > 1 && <span>{t('drafts.posts', { count: posts.length })}</span>}
        {files > 0 && <span>{t('drafts.files', { count: files })}</span>}
      </p>
      <p class="saved-actions">
        <a class="button quiet" href={`/publish?draft=${id}`}>
          {t('drafts.continue')}
        </a>
        <button type="button" class="button quiet" onClick={() => void remove()}>
          {t('drafts.delete')}
        </button>
      </p>
    </article>
  );
}
