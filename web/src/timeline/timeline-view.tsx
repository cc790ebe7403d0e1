import { memo } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import { StatusCard } from '../status/index.ts';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';
import { useBuffer } from '../ui/use-buffer.ts';
import { GapRow } from './gap-row.tsx';
import { followChanges } from './live-changes.ts';
import { LeftOffBar } from './left-off-bar.tsx';
import { leftOffAt, offerMarker, writeMarker } from './markers/markers.ts';
import { savePosition } from './positions.ts';
import type { TimelineSource } from './sources.ts';
import { findLeftOff, indexAtOrBelow, type Gap, type TimelineItem } from './timeline-items.ts';
import { TimelineEnd } from './timeline-end.tsx';
import { timelineOf, type Timeline } from './timeline.ts';
import { WaitingButton } from './waiting-button.tsx';
import './timeline-view.css';

interface TimelineViewProps {
  readonly source: TimelineSource;
  /** Shown if the timeline has no posts. */
  readonly empty: ComponentChildren;
  /** Shown if the server does not know the timeline, such as that of a deleted list. */
  readonly missing?: ComponentChildren;
}

/** Shows a timeline: it loads older posts at the end, and keeps the reader's position when the page is left. */
export function TimelineView({ source, empty, missing }: TimelineViewProps) {
  const timeline = timelineOf(source);
  useEffect(() => {
    followChanges();
    void timeline.loadOnce().then(() => offerMarker(timeline));
    return timeline.follow();
  }, [timeline]);
  const items = timeline.items.value;
  return (
    <>
      <WaitingButton timeline={timeline} />
      {items.length === 0 ? (
        <NoPosts timeline={timeline} empty={empty} missing={missing} />
      ) : (
        <>
          <Posts key={source.key} timeline={timeline} items={items} />
          <TimelineEnd timeline={timeline} />
        </>
      )}
    </>
  );
}

interface NoPostsProps extends Pick<TimelineViewProps, 'empty' | 'missing'> {
  readonly timeline: Timeline;
}

function NoPosts({ timeline, empty, missing }: NoPostsProps) {
  const state = timeline.state.value;
  if (missing !== undefined && timeline.isMissing) return <>{missing}</>;
  if (state === 'failed') return <ErrorState error={timeline.error} onRetry={() => void timeline.load()} />;
  return state === 'ready' ? <>{empty}</> : <LoadingPosts />;
}

/** The height of the bar on top, below which posts are visible. */
const topBarOf = (): number => document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;

function Posts({ timeline, items }: { readonly timeline: Timeline; readonly items: readonly TimelineItem[] }) {
  const element = useRef<HTMLDivElement>(null);
  const list = useRef<WindowVirtualizerHandle>(null);
  const shownPosition = useRef<Timeline['position']>(undefined);
  const bufferPx = useBuffer();
  const readId = timeline.source.marker === undefined ? undefined : leftOffAt.value;
  const leftOff = readId === undefined ? undefined : findLeftOff(items, readId);

  const topOfList = (): number => element.current?.getBoundingClientRect().top ?? 0;
  const offsetOf = (index: number): number => Math.round(topOfList() + (list.current?.getItemOffset(index) ?? 0));
  const rememberPosition = (): void => {
    const handle = list.current;
    if (handle === null) return;
    const all = timeline.items.peek();
    const index = Math.max(0, handle.findItemIndex(topBarOf() - topOfList()));
    const item = all.slice(index).find((one) => one.kind === 'status');
    if (item === undefined) return;
    const offset = offsetOf(all.indexOf(item));
    const isAtTop = index === 0 && globalThis.scrollY < 1;
    timeline.position = isAtTop ? undefined : { id: item.id, offset };
    shownPosition.current = timeline.position;
    savePosition(timeline.source.key, timeline.position);
    writeMarker(timeline, item.id);
  };

  const loadGap = (gap: Gap, from: 'above' | 'below'): void => {
    const findPosition = (): Timeline['position'] => {
      const all = timeline.items.peek();
      const below = all.indexOf(gap) + 1;
      const item = all[below];
      return item?.kind === 'status' ? { id: item.id, offset: offsetOf(below) } : undefined;
    };
    void (from === 'above' ? timeline.fillGap(gap) : timeline.fillGapUpwards(gap, findPosition));
  };

  useLayoutEffect(() => {
    const { position } = timeline;
    if (position === undefined || position === shownPosition.current) return;
    shownPosition.current = position;
    const index = indexAtOrBelow(items, position.id);
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: -position.offset });
  }, [timeline, items]);
  useEffect(() => {
    addEventListener('pagehide', rememberPosition);
    return () => removeEventListener('pagehide', rememberPosition);
  }, [timeline]);
  useLayoutEffect(() => () => rememberPosition(), [timeline]);

  return (
    <div ref={element} class="posts" role="feed" aria-busy={timeline.state.value === 'loading'}>
      <WindowVirtualizer
        ref={list}
        data={items}
        itemSize={expectedPostPx}
        bufferSize={bufferPx}
        onScrollEnd={rememberPosition}
      >
        {(item) => (
          <Row
            key={keyOf(item)}
            item={item}
            timeline={timeline}
            newAbove={item === leftOff?.item ? leftOff.newAbove : undefined}
            onLoadGap={loadGap}
          />
        )}
      </WindowVirtualizer>
    </div>
  );
}

/** The height of a short post, so that not too few are rendered first. */
const expectedPostPx = 200;

const keyOf = (item: TimelineItem): string => (item.kind === 'gap' ? `gap-${item.below}-${item.above}` : item.id);

interface RowProps {
  readonly item: TimelineItem;
  readonly timeline: Timeline;
  /** At the post where the reader left off: how many newer ones are above it. */
  readonly newAbove: number | undefined;
  readonly onLoadGap: (gap: Gap, from: 'above' | 'below') => void;
}

const Row = memo(
  ({ item, timeline, newAbove, onLoadGap }: RowProps) =>
    item.kind === 'status' ? (
      <>
        {newAbove !== undefined && <LeftOffBar newAbove={newAbove} />}
        <StatusCard id={item.id} context={timeline.source.context} />
      </>
    ) : (
      <GapRow onLoad={(from) => onLoadGap(item, from)} />
    ),
  (before, after) =>
    before.item === after.item && before.timeline === after.timeline && before.newAbove === after.newAbove,
);
