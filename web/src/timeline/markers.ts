import { signal, type ReadonlySignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { MarkersByTimeline } from '../api/entities.ts';
import { compareIds, idsOf } from './timeline-items.ts';
import type { Timeline } from './timeline.ts';

/** Below this many newer posts, the reader finds the position without help. */
const minNewerPosts = 5;
const writeDelayMs = 2_000;

const offered = signal<string | undefined>(undefined);
/** The newest post that the reader saw on any device, if many newer ones came since. */
export const offeredPosition: ReadonlySignal<string | undefined> = offered;

let stored: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let isLoaded = false;

/** Loads where the reader was, once, and offers to continue there if the newest posts do not show it. */
export async function offerMarker(timeline: Timeline): Promise<void> {
  if (isLoaded || timeline.source.marker === undefined) return;
  isLoaded = true;
  const query = { timeline: [timeline.source.marker] };
  const markers = await request<MarkersByTimeline>('GET', '/api/v1/markers', { query }).catch(() => undefined);
  stored = markers?.home?.last_read_id;
  if (stored === undefined || timeline.position !== undefined) return;
  const read = stored;
  const newer = idsOf(timeline.items.peek()).filter((id) => compareIds(id, read) > 0);
  if (newer.length >= minNewerPosts) offered.value = read;
}

/** Withdraws the offer to continue. From then on the position is stored as the reader scrolls. */
export function dismissOffer(): void {
  offered.value = undefined;
}

/** Stores the topmost visible post of home on the server, after a moment. Not while older posts are offered. */
export function writeMarker(timeline: Timeline, id: string): void {
  if (timeline.source.marker === undefined || !isLoaded) return;
  if (offered.peek() !== undefined) {
    // The reader scrolled back to it.
    if (compareIds(id, offered.peek() ?? '') > 0) return;
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
}
