import minus from '@phosphor-icons/core/regular/minus-circle.svg?raw';
import plus from '@phosphor-icons/core/regular/plus-circle.svg?raw';
import { memo } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import { t } from '../i18n/translate.tsx';
import { pathOf, StatusCard } from '../status/index.ts';
import { statusOf } from '../store/statuses.ts';
import { Icon } from '../ui/icon.tsx';
import { LoadingPosts } from '../ui/states.tsx';
import { useBuffer } from '../ui/use-buffer.ts';
import { unfoldedRows, type ArrangedReply } from './arrange-replies.ts';
import { foldedReplies, setFolded } from './folded.ts';
import type { Thread } from './thread.ts';

/** Deeper replies are not indented further, so that they stay readable on phones. */
const maxDepth = 4;
/** The height of a short reply, so that not too few are rendered first. */
const expectedReplyPx = 150;

interface RepliesProps {
  readonly thread: Thread;
  /** Whether the reader returns to the page. */
  readonly isReturn: boolean;
}

/** The replies to the post of a thread, below what they answer. Only those near the window are rendered. */
export function Replies({ thread, isReturn }: RepliesProps) {
  const list = useRef<WindowVirtualizerHandle>(null);
  const root = statusOf(thread.id).value;
  const rows = unfoldedRows(thread.rows.value, foldedReplies());
  const target = thread.target.value;
  const bufferPx = useBuffer(target);
  useLayoutEffect(() => {
    const index = rows.findIndex(({ id }) => id === target?.id);
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: -topBarOf() });
  }, [target]);
  useLayoutEffect(
    () => () => {
      const { position } = thread;
      if (position !== undefined) thread.position = { ...position, heights: list.current?.cache };
    },
    [thread],
  );
  if (root === undefined) return null;
  if (thread.state.value === 'loading') return root.replies_count > 0 ? <LoadingPosts count={2} /> : null;
  const ownThread = thread.ownThread.value;
  const newIds = new Set(thread.newIds.value);
  const items = rows.map((row, index) => ({ row, index, next: rows[index + 1] }));
  return (
    <section class="replies" aria-label={t('thread.replies')}>
      {rows.length > 0 && (
        <div role="list" aria-label={t('thread.replies')}>
          <WindowVirtualizer
            ref={list}
            data={items}
            itemSize={expectedReplyPx}
            bufferSize={bufferPx}
            {...(isReturn && thread.position?.heights !== undefined && { cache: thread.position.heights })}
          >
            {({ row, index, next }) => (
              <Reply
                key={row.id}
                thread={thread}
                id={row.id}
                depth={row.depth}
                continues={row.continues}
                isAnswered={next !== undefined && (next.continues || next.depth > row.depth)}
                missing={row.missing}
                below={row.below}
                position={index + 1}
                count={rows.length}
                part={ownThread.indexOf(row.id) + 1}
                partCount={ownThread.length}
                isNew={newIds.has(row.id)}
              />
            )}
          </WindowVirtualizer>
        </div>
      )}
      <Waiting thread={thread} />
      {rows.length === 0 && thread.waiting.value.length === 0 && !thread.isRefreshing.value && (
        <p class="no-replies soft">{t('thread.noReplies')}</p>
      )}
    </section>
  );
}

/** The height of the bar on top, below which posts are visible. */
const topBarOf = (): number => document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;

interface ReplyProps extends Omit<ArrangedReply, 'id'> {
  readonly thread: Thread;
  readonly id: string;
  /** Whether the next row answers it. */
  readonly isAnswered: boolean;
  /** Among the shown replies, from 1. */
  readonly position: number;
  readonly count: number;
  /** Among the posts of its author in a row, from 1; 0: none of them. */
  readonly part: number;
  readonly partCount: number;
  readonly isNew: boolean;
}

const Reply = memo((props: ReplyProps) => {
  const { thread, id, depth, continues, isAnswered, missing, below, part, partCount, isNew } = props;
  const element = useRef<HTMLDivElement>(null);
  const target = thread.target.value;
  useEffect(() => {
    if (target?.id !== id || thread.reachedTarget === target) return;
    thread.reachedTarget = target;
    element.current?.querySelector<HTMLElement>('.status')?.focus({ preventScroll: true });
  }, [target]);
  const status = statusOf(id).value;
  const classes = ['reply', continues && 'continues', isAnswered && 'is-answered', isNew && 'is-new'];
  return (
    <div
      ref={element}
      class={classes.filter(Boolean).join(' ')}
      style={{ '--depth': Math.min(depth, maxDepth) }}
      role="listitem"
      aria-level={depth + 1}
      aria-posinset={props.position}
      aria-setsize={props.count}
    >
      {isNew && <p class="new-mark small">{t('thread.new')}</p>}
      <StatusCard id={id} context="thread" part={part} partCount={partCount} />
      {below > 0 && status !== undefined && <Fold id={id} count={below} />}
      {missing > 0 && status !== undefined && (
        <p class="missing-replies">
          <a href={pathOf(status)}>{t('thread.missingReplies', { count: missing })}</a>
        </p>
      )}
    </div>
  );
});

/** Hides and shows the replies below a reply, on the line that leads to them. */
function Fold({ id, count }: { readonly id: string; readonly count: number }) {
  const isFolded = foldedReplies().has(id);
  const label = isFolded ? t('thread.missingReplies', { count }) : t('thread.fold', { count });
  return (
    <div class="fold-row">
      <button
        type="button"
        class="fold small"
        data-key="c"
        aria-expanded={!isFolded}
        {...(!isFolded && { 'aria-label': label, title: label })}
        onClick={() => setFolded(id, !isFolded)}
      >
        <Icon svg={isFolded ? plus : minus} />
        {isFolded && <span>{label}</span>}
      </button>
    </div>
  );
}

/** What is known of replies that are not shown yet. */
function Waiting({ thread }: { readonly thread: Thread }) {
  const count = thread.waiting.value.length;
  return (
    <div class="waiting-replies" role="status">
      {count > 0 ? (
        <button type="button" class="button quiet" onClick={() => thread.showWaiting()}>
          {t('thread.moreReplies', { count })}
        </button>
      ) : (
        thread.isRefreshing.value && <span class="soft small">{t('thread.looking')}</span>
      )}
    </div>
  );
}
