import { signal, type ReadonlySignal } from '@preact/signals';
import { me } from './session.ts';

/** A visit of the reader to the client, with the pauses that are too short to end it. Times in milliseconds. */
export interface Visit {
  /** When the visit before ended, on this device; absent at the first one. */
  readonly before?: number;
  /** When the reader was last seen on another device before this visit. */
  readonly elsewhere?: number;
  readonly startedAt: number;
  readonly seenAt: number;
  /** Whether the reader has decided what to do about the time between the visits. */
  readonly isCaughtUp?: boolean;
}

/** After a pause of this length, a new visit begins. */
const minPauseMs = 3_600_000;
/** After so long, catching up is offered. */
const minAbsenceMs = 4 * 3_600_000;
const minStoreMs = 60_000;

/** Returns the visit that goes on, or begins after a pause. */
export function continueVisit(visit: Visit | undefined, now: number): Visit {
  if (visit === undefined) return { startedAt: now, seenAt: now };
  if (now - visit.seenAt < minPauseMs) return { ...visit, seenAt: now };
  return { before: visit.seenAt, startedAt: now, seenAt: now };
}

/** Whether the reader was away so long that catching up is worth an offer. */
export const isLongAbsence = ({ before, startedAt, isCaughtUp = false }: Visit): boolean =>
  !isCaughtUp && before !== undefined && startedAt - before >= minAbsenceMs;

/** Returns when the reader was last seen before a visit, on any device. */
export const lastSeenBefore = ({ before = 0, elsewhere = 0 }: Visit): number | undefined =>
  Math.max(before, elsewhere) || undefined;

const current = signal<Visit>({ startedAt: Date.now(), seenAt: Date.now() });
/** The visit that goes on. */
export const visit: ReadonlySignal<Visit> = current;

const keyOf = (): string => `visit:${me.peek().id}`;

/** Begins or continues a visit, and follows it while the window is in view. */
export function followVisit(): void {
  update();
  document.addEventListener('visibilitychange', update);
  addEventListener('pagehide', update);
  // Until the window is left, reading is what shows that the reader is there. A pause ends when the window comes into view.
  const extend = (): void => {
    const pause = Date.now() - current.peek().seenAt;
    if (pause > minStoreMs && pause < minPauseMs) update();
  };
  for (const type of ['scroll', 'keydown']) addEventListener(type, extend, { passive: true });
}

/** Records when the reader was seen on another device. No-op for a time of this visit. */
export function recordVisitElsewhere(seenAt: number): void {
  if (seenAt < current.peek().startedAt) store({ ...current.peek(), elsewhere: seenAt });
}

/** Withdraws the offer to catch up until the next visit. */
export function endAbsence(): void {
  store({ ...current.peek(), isCaughtUp: true });
}

function update(): void {
  store(continueVisit(load(), Date.now()));
}

function load(): Visit | undefined {
  const stored = localStorage.getItem(keyOf());
  return stored === null ? undefined : (JSON.parse(stored) as Visit);
}

function store(next: Visit): void {
  current.value = next;
  localStorage.setItem(keyOf(), JSON.stringify(next));
}
