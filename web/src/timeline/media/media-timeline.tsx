import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Status } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { settings } from '../../session/settings.ts';
import { findFilters, isHidden } from '../../status/index.ts';
import { openViewer } from '../../status/media/index.ts';
import { statusOf } from '../../store/statuses.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { isPostRemoved } from '../../ui/removed-posts.ts';
import { EmptyState, ErrorState, LoadingPosts } from '../../ui/states.tsx';
import { followChanges } from '../live-changes.ts';
import type { TimelineSource } from '../sources.ts';
import { TimelineEnd } from '../timeline-end.tsx';
import { idsOf } from '../timeline-items.ts';
import { timelineOf, type Timeline } from '../timeline.ts';
import { WaitingButton } from '../waiting-button.tsx';
import { MediaTile } from './media-tile.tsx';
import { gridStep, tilesOf, type Tile } from './media-view.ts';
import { ViewedPost } from './viewed-post.tsx';
import './media-tiles.css';

interface MediaTimelineProps {
  readonly source: TimelineSource;
  /** Shown if no post has a picture. */
  readonly empty?: ComponentChildren;
}

/** The pictures of a timeline as a grid. A press opens the viewer with the post. Older ones are loaded to the end. */
export function MediaTimeline({ source, empty = <EmptyState title={t('mediaView.empty')} /> }: MediaTimelineProps) {
  const timeline = timelineOf(source);
  useEffect(() => {
    followChanges();
    void timeline.loadOnce();
    return timeline.follow();
  }, [timeline]);
  /** The posts whose pictures the reader uncovered. */
  const uncovered = useSignal<ReadonlySet<string>>(new Set());
  const tiles = useComputed(() => {
    const statuses = statusesOf(timeline);
    return tilesOf(statuses, (status) => isCoverable(status, source) && !uncovered.value.has(status.id));
  });
  const state = timeline.state.value;
  if (tiles.value.length === 0 && state === 'failed')
    return <ErrorState error={timeline.error} onRetry={() => void timeline.load()} />;
  if (tiles.value.length === 0 && state === 'ready' && timeline.isComplete.value) return <>{empty}</>;
  const open = ({ attachment, status, isCovered }: Tile): void => {
    if (isCovered) {
      uncovered.value = new Set([...uncovered.peek(), status.id]);
      return;
    }
    const shown = (): Tile[] => tiles.value.filter((tile) => !tile.isCovered);
    const index = shown().findIndex((tile) => tile.attachment.id === attachment.id);
    void openViewer(() => shown().map((tile) => tile.attachment), Math.max(0, index), {
      renderBelow: ({ id }) => {
        const post = tiles.peek().find((tile) => tile.attachment.id === id)?.status;
        return post === undefined ? null : <ViewedPost key={post.id} status={post} />;
      },
      onNearEnd: () => void loadMore(timeline),
    });
  };
  return (
    <>
      <WaitingButton timeline={timeline} />
      <Grid tiles={tiles.value} onOpen={open} />
      {tiles.value.length === 0 && state === 'loading' ? <LoadingPosts /> : <MediaEnd timeline={timeline} />}
    </>
  );
}

/** Loads what is missing between posts, then what is older. */
function loadMore(timeline: Timeline): Promise<void> {
  const gap = timeline.items.peek().find((item) => item.kind === 'gap');
  return gap === undefined ? timeline.loadOlder() : timeline.fillGap(gap);
}

function MediaEnd({ timeline }: { readonly timeline: Timeline }) {
  const hasGap = timeline.items.value.some(({ kind }) => kind === 'gap');
  return hasGap ? (
    <LoadMore
      state={timeline.state.value === 'empty' ? 'loading' : timeline.state.value}
      error={timeline.error}
      onLoad={() => void loadMore(timeline)}
    />
  ) : (
    <TimelineEnd timeline={timeline} />
  );
}

interface GridProps {
  readonly tiles: readonly Tile[];
  readonly onOpen: (tile: Tile) => void;
}

function Grid({ tiles, onOpen }: GridProps) {
  const grid = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent): void => {
    if (grid.current === null) return;
    const buttons = [...grid.current.querySelectorAll<HTMLElement>('.media-tile')];
    const target = gridStep(event.key, {
      index: buttons.findIndex((button) => button === document.activeElement),
      count: buttons.length,
      columns: getComputedStyle(grid.current).gridTemplateColumns.split(' ').length,
      isRightToLeft: document.documentElement.dir === 'rtl',
    });
    if (target === undefined) return;
    event.preventDefault();
    buttons[target]?.focus();
  };
  return (
    // The keys move between its buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul ref={grid} class="media-tiles" aria-label={t('mediaView.title')} onKeyDown={move}>
      {tiles.map((tile) => (
        <li key={tile.attachment.id}>
          <MediaTile tile={tile} onPress={() => onOpen(tile)} />
        </li>
      ))}
    </ul>
  );
}

/** Returns the posts of a timeline, of boosts those that are boosted, without those that are hidden. */
function statusesOf(timeline: Timeline): Status[] {
  const { context } = timeline.source;
  return idsOf(timeline.items.value).flatMap((id) => {
    const status = statusOf(id).value;
    if (status === undefined || isPostRemoved(status, context) || isHidden(findFilters(status, context))) return [];
    const shown = status.reblog === null ? status : (statusOf(status.reblog.id).value ?? status.reblog);
    return isPostRemoved(shown, context) ? [] : [shown];
  });
}

/** Whether the pictures of a post are covered at first: as in its card. */
function isCoverable(status: Status, { context }: TimelineSource): boolean {
  const { media } = settings.value.reading;
  return media === 'hide' || (media === 'default' && status.sensitive) || findFilters(status, context).length > 0;
}
