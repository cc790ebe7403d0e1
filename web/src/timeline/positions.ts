import { me } from '../session/session.ts';

/** Where a reader is in a timeline: a post, and the distance of its top from the top of the page, in pixels. */
export interface Position {
  readonly id: string;
  readonly offset: number;
}

const keyOf = (timeline: string): string => `position:${me.peek().id}:${timeline}`;

/** Returns where the reader was before the window was loaded anew; undefined: at the top, or never there. */
export function findSavedPosition(timeline: string): Position | undefined {
  const saved = sessionStorage.getItem(keyOf(timeline));
  if (saved === null) return undefined;
  const { id, offset } = JSON.parse(saved) as Partial<Position>;
  return id !== undefined && /^\d+$/.test(id) ? { id, offset: offset ?? 0 } : undefined;
}

/** Keeps the position of a timeline for this window. Undefined: at the top. */
export function savePosition(timeline: string, position: Position | undefined): void {
  if (position === undefined) sessionStorage.removeItem(keyOf(timeline));
  else sessionStorage.setItem(keyOf(timeline), JSON.stringify(position));
}
