import type { Status } from '../api/entities.ts';

type Listener = (status: Status) => void;
const listeners = new Set<Listener>();

/** Calls a function for each post that is published in this window, until the returned function is called. */
export function onPublished(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells home and open threads that posts were published. Those that moderators review first are not. */
export function announcePublished(statuses: readonly Status[]): void {
  for (const status of statuses)
    if (status.held_for_review !== true) for (const listener of listeners) listener(status);
}
