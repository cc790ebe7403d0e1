import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { t } from '../i18n/translate.tsx';
import { StatusCard } from '../status/index.ts';
import { type Timeline, type TimelineItem, timelineOf, type TimelineSource } from '../timeline/index.ts';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';

interface ColumnTimelineProps {
  readonly source: TimelineSource;
  readonly title: string;
  /** Shown if the server does not know the timeline. */
  readonly missing: ComponentChildren;
}

/** A timeline that scrolls by itself. */
export function ColumnTimeline({ source, title, missing }: ColumnTimelineProps) {
  const timeline = timelineOf(source);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (timeline.state.peek() === 'empty') void timeline.load();
    return timeline.follow();
  }, [timeline]);
  return (
    // A region that scrolls can be scrolled by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} class="column-body" tabIndex={0} role="group" aria-label={t('deck.postsOf', { title })}>
      <Waiting timeline={timeline} onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      {timeline.isMissing ? missing : <Posts timeline={timeline} />}
    </div>
  );
}

function Waiting({ timeline, onShow }: { readonly timeline: Timeline; readonly onShow: () => void }) {
  const count = timeline.waiting.value.length;
  return (
    <div class="column-waiting" role="status">
      {count > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => {
            timeline.showWaiting();
            onShow();
          }}
        >
          {t('timeline.newPosts', { count })}
        </button>
      )}
    </div>
  );
}

function Posts({ timeline }: { readonly timeline: Timeline }) {
  const list = useRef<VirtualizerHandle>(null);
  const items = timeline.items.value;
  const state = timeline.state.value;
  if (items.length === 0) {
    if (state === 'failed') return <ErrorState error={timeline.error} onRetry={() => void timeline.load()} />;
    return state === 'ready' ? <EmptyState title={t('tabs.empty')} /> : <LoadingPosts />;
  }
  return (
    <>
      <Virtualizer
        ref={list}
        data={items}
        onScroll={() => {
          const handle = list.current;
          if (handle === null) return;
          const last = handle.findItemIndex(handle.scrollOffset + 2 * handle.viewportSize);
          if (last >= items.length - 5) void timeline.loadOlder();
        }}
      >
        {(item) => <Row key={item.kind === 'gap' ? `gap-${item.below}` : item.id} item={item} timeline={timeline} />}
      </Virtualizer>
      {state === 'failed' ? (
        <ErrorState error={timeline.error} onRetry={() => void timeline.loadOlder()} />
      ) : timeline.isComplete.value ? (
        <p class="column-end soft">{t('timeline.end')}</p>
      ) : (
        <p class="column-end">
          <button type="button" class="button quiet" onClick={() => void timeline.loadOlder()}>
            {t('timeline.loadOlder')}
          </button>
        </p>
      )}
    </>
  );
}

function Row({ item, timeline }: { readonly item: TimelineItem; readonly timeline: Timeline }) {
  if (item.kind === 'status') return <StatusCard id={item.id} context={timeline.source.context} />;
  return (
    <button type="button" class="button quiet column-gap" onClick={() => void timeline.fillGap(item)}>
      {t('timeline.gapLoad')}
    </button>
  );
}
