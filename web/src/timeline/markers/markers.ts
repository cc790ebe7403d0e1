import { signal, type ReadonlySignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { MarkersByTimeline } from '../../api/entities.ts';
import { recordVisitElsewhere } from '../../session/visits.ts';
import { compareIds } from '../../store/compare-ids.ts';
import { onSharedChange, shareChange } from '../../store/other-windows.ts';
import { idsOf } from '../timeline-items.ts';
import type { Timeline } from '../timeline.ts';

type Marker = MarkersByTimeline['home'];

/** Below this many newer posts, the reader finds the position without help. */
const minNewerPosts = 5;
/** A position that was left longer ago is not offered: few readers go back that far. */
const maxOfferedAgeMs = 3 * 86_400_000;
const writeDelayMs = 2_000;

const leftOff = signal<string | undefined>(undefined);
/** The newest post that the reader saw before this visit, on any device. */
export const leftOffAt: ReadonlySignal<string | undefined> = leftOff;

const offered = signal(false);
/** Whether many posts are newer than that one, so that the way there is offered. */
export const isContinueOffered: ReadonlySignal<boolean> = offered;

let loading: Promise<Marker> | undefined;
let stored: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether it is known where the reader left off, so that a new position may replace it. */
let isKnown = false;

/** Loads where the reader was in home before this visit, and when, once; undefined if that is not known. */
export function loadHomeMarker(): Promise<Marker> {
  return (loading ??= request<MarkersByTimeline>('GET', '/api/v1/markers', { query: { timeline: ['home'] } })
    .then(({ home }) => {
      if (home !== undefined) recordVisitElsewhere(Date.parse(home.updated_at));
      return home;
    })
    .catch(() => undefined));
}

/** Marks where the reader left off in a timeline, and offers to continue there if the newest posts do not show it. */
export async function offerMarker(timeline: Timeline): Promise<void> {
  if (isKnown || timeline.source.marker === undefined) return;
  const marker = await loadHomeMarker();
  if (isKnown) return;
  isKnown = true;
  stored = marker?.last_read_id;
  if (marker === undefined || stored === undefined || timeline.position !== undefined) return;
  leftOff.value = stored;
  const read = stored;
  const newer = idsOf(timeline.items.peek()).filter((id) => compareIds(id, read) > 0);
  offered.value = newer.length >= minNewerPosts && Date.now() - Date.parse(marker.updated_at) < maxOfferedAgeMs;
}

/** Withdraws the offer to continue. From then on the position is stored as the reader scrolls. */
export function dismissOffer(): void {
  offered.value = false;
}

/** Marks home as read up to a post, on all devices, unless a newer one was seen. Throws ApiError or OfflineError. */
export async function markHomeRead(id: string): Promise<void> {
  const known = stored ?? (await loadHomeMarker())?.last_read_id;
  if (known === undefined || compareIds(id, known) > 0) {
    clearTimeout(timer);
    await request('POST', '/api/v1/markers', { body: { home: { last_read_id: id } } });
    stored = id;
  }
  showAllRead(id);
  shareChange('homeRead', { id, isAll: true });
}

function showAllRead(id: string): void {
  isKnown = true;
  leftOff.value = id;
  dismissOffer();
}

onSharedChange('homeRead', ({ id, isAll }) => {
  stored = id;
  if (isAll) showAllRead(id);
  else dismissOffer();
});

/** Stores the topmost visible post of home on the server, after a moment. Not while older posts are offered. */
export function writeMarker(timeline: Timeline, id: string): void {
  if (timeline.source.marker === undefined || !isKnown) return;
  if (offered.peek()) {
    // The reader scrolled back to it.
    if (compareIds(id, leftOff.peek() ?? '') > 0) return;
    dismissOffer();
  }
  clearTimeout(timer);
  timer = setTimeout(() => void store(id), writeDelayMs);
}

async function store(id: string): Promise<void> {
  if (id === stored || document.visibilityState !== 'visible') return;
  stored = id;
  // A conflict means that another device moved it at the same time: the next position is stored again.
  await request('POST', '/api/v1/markers', { body: { home: { last_read_id: id } } }).catch(() => undefined);
  shareChange('homeRead', { id, isAll: false });
}
