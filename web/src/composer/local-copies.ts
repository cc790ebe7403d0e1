import { me } from '../session/session.ts';
import type { Composed } from './composed.ts';

// localStorage is written before the tab can be closed, unlike IndexedDB.
const prefix = (): string => `fieldfare.composer.${me.peek().id}.`;

/** Stores what is being written in this browser. Uploads that have not ended are left out. */
export function storeLocalCopy(slot: string, composed: Composed): void {
  const posts = composed.posts.map((post) => ({
    ...post,
    media: post.media.filter(({ attachment }) => attachment !== undefined),
  }));
  try {
    localStorage.setItem(prefix() + slot, JSON.stringify({ ...composed, posts }));
  } catch {
    // The storage is full or blocked. The draft on the server remains.
  }
}

/** Returns what was being written in this browser when a page was closed. */
export function findLocalCopy(slot: string): Composed | undefined {
  const text = readItem(prefix() + slot);
  return text === undefined ? undefined : (JSON.parse(text) as Composed);
}

export function deleteLocalCopy(slot: string): void {
  try {
    localStorage.removeItem(prefix() + slot);
  } catch {
    // The storage is blocked, so nothing is stored.
  }
}

/** Returns where this browser has a copy of a draft of the server. */
export function findSlotOfDraft(draftId: string): string | undefined {
  const start = prefix();
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length))
      .find((slot) => findLocalCopy(slot)?.draft?.id === draftId);
  } catch {
    return undefined;
  }
}

function readItem(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
