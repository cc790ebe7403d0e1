import { t } from '../i18n/translate.tsx';
import { pathOf, StatusCard } from '../status/index.ts';
import { statusOf } from '../store/statuses.ts';
import { LoadingPosts } from '../ui/states.tsx';
import { arrangeReplies, type ArrangedReply } from './arrange-replies.ts';
import type { Thread } from './thread.ts';

/** Deeper replies are not indented further, so that they stay readable on phones. */
const maxDepth = 4;

/** The replies to the post of a thread, below what they answer. */
export function Replies({ thread }: { readonly thread: Thread }) {
  const root = statusOf(thread.id).value;
  if (root === undefined) return null;
  if (thread.state.value === 'loading') return root.replies_count > 0 ? <LoadingPosts count={2} /> : null;
  const statuses = thread.descendants.value.flatMap((id) => statusOf(id).value ?? []);
  const rows = arrangeReplies(root, statuses);
  return (
    <section class="replies" aria-label={t('thread.replies')}>
      {rows.map((row, index) => (
        <Reply key={row.id} row={row} next={rows[index + 1]} />
      ))}
      <Waiting thread={thread} />
      {rows.length === 0 && thread.waiting.value.length === 0 && !thread.isRefreshing.value && (
        <p class="no-replies soft">{t('thread.noReplies')}</p>
      )}
    </section>
  );
}

function Reply({ row, next }: { readonly row: ArrangedReply; readonly next: ArrangedReply | undefined }) {
  const status = statusOf(row.id).value;
  const classes = [
    'reply',
    `depth-${Math.min(row.depth, maxDepth)}`,
    row.continues && 'continues',
    next !== undefined && (next.continues || next.depth > row.depth) && 'is-answered',
  ];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <StatusCard id={row.id} context="thread" />
      {row.missing > 0 && status !== undefined && (
        <p class="missing-replies">
          <a href={pathOf(status)}>{t('thread.missingReplies', { count: row.missing })}</a>
        </p>
      )}
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
