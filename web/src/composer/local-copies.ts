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

/**
 * Calls a function when another window stores a copy (undefined: deletes it), until the returned function is called. `slot`:
 * only that one.
 */
export function onLocalCopy(receive: (copy: Composed | undefined) => void, slot = ''): () => void {
  const start = prefix() + slot;
  const receiveChange = ({ key, newValue }: StorageEvent): void => {
    if (slot === '' ? key?.startsWith(start) !== true : key !== start) return;
    receive(newValue === null ? undefined : (JSON.parse(newValue) as Composed));
  };
  addEventListener('storage', receiveChange);
  return () => removeEventListener('storage', receiveChange);
}

/** Returns everything that was being written in this browser. */
export function listLocalCopies(): readonly { readonly slot: string; readonly composed: Composed }[] {
  const start = prefix();
  return listKeys()
    .filter((key) => key.startsWith(start))
    .flatMap((key) => {
      const slot = key.slice(start.length);
      const composed = findLocalCopy(slot);
      return composed === undefined ? [] : [{ slot, composed }];
    });
}

/** Returns where this browser has a copy of a draft of the server. */
export const findSlotOfDraft = (draftId: string): string | undefined =>
  listLocalCopies().find(({ composed }) => composed.draft?.id === draftId)?.slot;

function listKeys(): readonly string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

function readItem(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
