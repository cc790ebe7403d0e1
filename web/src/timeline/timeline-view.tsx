import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { WindowVirtualizer, type CacheSnapshot, type WindowVirtualizerHandle } from 'virtua';
import { t } from '../i18n/translate.tsx';
import { StatusCard } from '../status/status-card.tsx';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';
import type { TimelineSource } from './sources.ts';
import { timelineOf, type Timeline, type TimelineItem } from './timeline.ts';
import './timeline-view.css';

interface TimelineViewProps {
  readonly source: TimelineSource;
  /** Shown if the timeline has no posts. */
  readonly empty: ComponentChildren;
}

/** Shows a timeline: it loads older posts at the end, and keeps the reader's position when the page is left. */
export function TimelineView({ source, empty }: TimelineViewProps) {
  const timeline = timelineOf(source);
  useEffect(() => {
    if (timeline.state.peek() === 'empty') void timeline.load();
    return timeline.follow();
  }, [timeline]);
  const items = timeline.items.value;
  const state = timeline.state.value;
  if (items.length === 0) {
    if (state === 'failed') return <ErrorState error={timeline.error} onRetry={() => void timeline.load()} />;
    return state === 'ready' ? <>{empty}</> : <LoadingPosts />;
  }
  return (
    <>
      <NewPosts timeline={timeline} />
      <Posts key={source.key} timeline={timeline} items={items} />
      <End timeline={timeline} />
    </>
  );
}

function NewPosts({ timeline }: { readonly timeline: Timeline }) {
  const count = timeline.waiting.value.length;
  return (
    <div class="new-posts" role="status">
      {count > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => {
            timeline.showWaiting();
            scrollTo({ top: 0 });
          }}
        >
          {t('timeline.newPosts', { count })}
        </button>
      )}
    </div>
  );
}

function Posts({ timeline, items }: { readonly timeline: Timeline; readonly items: readonly TimelineItem[] }) {
  const list = useRef<WindowVirtualizerHandle>(null);
  const { position } = timeline;
  useLayoutEffect(() => {
    if (position !== undefined) scrollTo({ top: position.offset });
    return () => {
      const cache = list.current?.cache;
      if (cache !== undefined) timeline.position = { offset: globalThis.scrollY, cache };
    };
  }, [timeline]);
  return (
    <div class="posts" role="feed" aria-busy={timeline.state.value === 'loading'}>
      <WindowVirtualizer
        ref={list}
        data={items}
        bufferSize={800}
        {...(position !== undefined && { cache: position.cache as CacheSnapshot })}
        onScroll={() => {
          const handle = list.current;
          if (handle === null) return;
          const last = handle.findItemIndex(handle.scrollOffset + 2 * handle.viewportSize);
          if (last >= items.length - 5) void timeline.loadOlder();
        }}
      >
        {(item) => <Row key={item.kind === 'gap' ? `gap-${item.below}` : item.id} item={item} timeline={timeline} />}
      </WindowVirtualizer>
    </div>
  );
}

function Row({ item, timeline }: { readonly item: TimelineItem; readonly timeline: Timeline }) {
  if (item.kind === 'status') return <StatusCard id={item.id} />;
  return (
    <button type="button" class="gap" onClick={() => void timeline.fillGap(item)}>
      {t('timeline.loadGap')}
    </button>
  );
}

function End({ timeline }: { readonly timeline: Timeline }) {
  if (timeline.state.value === 'failed')
    return <ErrorState error={timeline.error} onRetry={() => void timeline.loadOlder()} />;
  if (timeline.isComplete.value) return <p class="end soft">{t('timeline.end')}</p>;
  return (
    <div class="end">
      <button type="button" class="button quiet" onClick={() => void timeline.loadOlder()}>
        {t('timeline.loadOlder')}
      </button>
    </div>
  );
}
