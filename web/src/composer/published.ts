import type { Status } from '../api/entities.ts';

type Listener = (status: Status) => void;
const listeners = new Set<Listener>();

/** Calls a function for each post that is published in this window, until the returned function is called. */
export function onPublished(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells open threads that a post was published. */
export function announcePublished(status: Status): void {
  for (const listener of listeners) listener(status);
}
