import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { ComposerPrompt, onPublished } from '../composer/index.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { PendingPosts } from '../offline/index.ts';
import { StatusCard } from '../status/index.ts';
import { statusOf } from '../store/statuses.ts';
import { followChanges } from '../timeline/index.ts';
import { isPostRemoved } from '../ui/removed-posts.ts';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';
import { Replies } from './replies.tsx';
import { NewReplies, ThreadTools } from './thread-tools.tsx';
import { type Thread, threadOf } from './thread.ts';
import './thread-page.css';

/** A post with what it answers and its replies. It opens at the post. */
export function ThreadPage({ id = '' }: { readonly id?: string }) {
  const thread = useMemo(() => threadOf(id), [id]);
  useEffect(() => {
    followChanges();
    void thread.open();
    return thread.follow();
  }, [thread]);
  useEffect(() => onPublished((status) => thread.add(status)), [thread]);
  return (
    <>
      <PageHeader title={t('thread.title')} hasBack />
      <Content key={id} thread={thread} />
    </>
  );
}

function Content({ thread }: { readonly thread: Thread }) {
  const { id } = thread;
  const main = useRef<HTMLDivElement>(null);
  const location = useLocation();
  // The router knows it; its types do not.
  const isLink = 'wasPush' in location && location.wasPush === true;
  const isReturn = useRef(!isLink && thread.position !== undefined).current;
  const ancestors = thread.ancestors.value;
  const found = statusOf(id).value;
  const status = found !== undefined && isPostRemoved(found, 'thread') ? undefined : found;
  const state = thread.state.value;
  const ownThread = thread.ownThread.value;
  const partOf = (one: string): number => ownThread.indexOf(one) + 1;
  useKeptInPlace(main, { cause: ancestors, thread, isReturn });
  if (found === undefined && state === 'failed')
    return <ErrorState error={thread.error} onRetry={() => void thread.load()} />;
  if (found === undefined && state === 'loading') return <LoadingPosts count={3} />;
  if (status === undefined)
    return (
      <EmptyState title={t('thread.deleted')}>
        <a class="button" href="/">
          {t('nav.home')}
        </a>
      </EmptyState>
    );
  return (
    <div class="thread">
      <div class="ancestors">
        {ancestors.map((ancestor) => (
          <StatusCard
            key={ancestor}
            id={ancestor}
            context="thread"
            part={partOf(ancestor)}
            partCount={ownThread.length}
          />
        ))}
      </div>
      <div class={ancestors.length > 0 ? 'thread-main has-ancestors' : 'thread-main'} ref={main}>
        <StatusCard id={id} context="thread" isMain part={partOf(id)} partCount={ownThread.length} />
        <ComposerPrompt
          key={`reply-${id}`}
          label={t('nav.replyPrompt', { name: status.account.acct })}
          start={{ inReplyTo: id }}
          isInThread
        />
        <ThreadTools thread={thread} />
        <NewReplies thread={thread} />
        {state === 'failed' ? (
          <ErrorState error={thread.error} onRetry={() => void thread.load()} />
        ) : (
          <Replies thread={thread} isReturn={isReturn} />
        )}
        <PendingPosts repliesTo={[...ancestors, id, ...thread.descendants.value]} />
      </div>
    </div>
  );
}

interface KeptInPlace {
  /** What others are added for. */
  readonly cause: unknown;
  readonly thread: Thread;
  readonly isReturn: boolean;
}

/**
 * Keeps an element where the reader sees it while others are added above: below the header at first, after Back where it was
 * before.
 */
function useKeptInPlace(
  element: { readonly current: HTMLElement | null },
  { cause, thread, isReturn }: KeptInPlace,
): void {
  const top = useRef(isReturn ? thread.position?.top : undefined);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const header = document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;
    const target = top.current ?? header;
    scrollBy({ top: current.getBoundingClientRect().top - target, behavior: 'instant' });
    top.current = current.getBoundingClientRect().top;
  }, [cause, element.current === null]);
  useEffect(() => {
    const remember = (): void => {
      if (element.current === null) return;
      top.current = element.current.getBoundingClientRect().top;
      thread.position = { top: top.current, heights: undefined };
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
}
