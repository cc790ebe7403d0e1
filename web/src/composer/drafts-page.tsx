import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request, requestPage } from '../api/client.ts';
import type { Draft } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { confirm } from '../ui/confirm.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { showError } from '../ui/toasts.tsx';
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

interface Drafts {
  readonly items: readonly Draft[];
  readonly next: string | undefined;
}

/** The posts that the user has begun and not published, of all devices. */
export function DraftsPage() {
  const state = useSignal<Drafts | { readonly error: unknown } | undefined>(undefined);
  const load = async (path = '/api/v1/fieldfare/drafts', before: readonly Draft[] = []): Promise<void> => {
    try {
      const { items, next } = await requestPage<Draft>(path);
      state.value = { items: [...before, ...items], next: items.length === 0 ? undefined : next };
    } catch (error) {
      state.value = { error };
    }
  };
  useEffect(() => void load(), []);
  const drafts = state.value;
  return (
    <>
      <PageHeader title={t('drafts.title')} hasBack />
      <SavedPostTabs />
      <LocalDrafts />
      {drafts === undefined ? (
        <LoadingPosts count={3} />
      ) : 'error' in drafts ? (
        <ErrorState error={drafts.error} onRetry={() => void load()} />
      ) : drafts.items.length === 0 ? (
        <EmptyState title={t('drafts.empty')}>
          <p>{t('drafts.emptyHint')}</p>
          <a class="button" href="/publish">
            {t('nav.publish')}
          </a>
        </EmptyState>
      ) : (
        <ul class="saved-posts">
          {drafts.items.map((draft) => (
            <DraftItem
              key={draft.id}
              draft={draft}
              onDeleted={() => (state.value = { ...drafts, items: drafts.items.filter((one) => one !== draft) })}
            />
          ))}
        </ul>
      )}
      {drafts !== undefined && 'next' in drafts && drafts.next !== undefined && (
        <p class="end">
          <button type="button" class="button quiet" onClick={() => void load(drafts.next, drafts.items)}>
            {t('drafts.more')}
          </button>
        </p>
      )}
    </>
  );
}

function DraftItem({ draft, onDeleted }: { readonly draft: Draft; readonly onDeleted: () => void }) {
  const { id, posts, updated_at: updatedAt, in_reply_to_id: inReplyToId } = draft;
  const text = posts.map((post) => post.text ?? '').find((one) => one.trim() !== '') ?? '';
  const files = posts.reduce((sum, post) => sum + post.media_attachments.length, 0);
  const remove = async (): Promise<void> => {
    const question = { title: t('drafts.deleteTitle'), text: t('drafts.deleteText'), action: t('drafts.delete') };
    if (!(await confirm(question))) return;
    try {
      await request('DELETE', `/api/v1/fieldfare/drafts/${id}`);
      const slot = findSlotOfDraft(id);
      if (slot !== undefined) deleteLocalCopy(slot);
      onDeleted();
    } catch (error) {
      showError(error, () => void remove());
    }
  };
  return (
    <li>
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
    </li>
  );
}
