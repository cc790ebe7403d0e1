import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Relationship } from '../api/entities.ts';
import { Changes } from './changes.ts';
import { shareChange } from './other-windows.ts';

const relationships = new Map<string, Signal<Relationship | undefined>>();
let requested = new Set<string>();

function entry(id: string): Signal<Relationship | undefined> {
  let found = relationships.get(id);
  if (found === undefined) relationships.set(id, (found = signal<Relationship | undefined>(undefined)));
  return found;
}

/** Returns how the signed-in account relates to another one. All that are read in one turn of the event loop are loaded together. */
export function relationshipOf(accountId: string): ReadonlySignal<Relationship | undefined> {
  const found = entry(accountId);
  if (found.peek() === undefined) requestRelationship(accountId);
  return found;
}

/** What the reader changes in relationships. */
export const relationshipChanges = new Changes<Relationship>({
  peek: (id) => entry(id).peek(),
  show: (id, relationship) => {
    entry(id).value = relationship;
    if (!relationshipChanges.isChanging(id) && outdated.delete(id)) requestRelationship(id);
  },
});

/** Whether the posts of an account are hidden from timelines. */
export function isHidden(accountId: string): boolean {
  const stored = relationships.get(accountId)?.peek();
  return stored !== undefined && (stored.blocking || stored.muting || stored.domain_blocking);
}

const listeners = new Set<(relationship: Relationship) => void>();

/** Calls a function with each relationship that is stored, as long as the client runs. */
export function onRelationshipChange(listener: (relationship: Relationship) => void): void {
  listeners.add(listener);
}

/** Stores a relationship that an action of the reader changed, also in other windows. */
export function storeRelationship(relationship: Relationship): void {
  receiveRelationship(relationship);
  shareChange('relationship', relationship);
}

/** Stores a relationship that was loaded. */
export function receiveRelationship(relationship: Relationship): void {
  entry(relationship.id).value = relationshipChanges.receive(relationship.id, relationship);
  for (const listener of listeners) listener(relationship);
}

/** Stores a relationship that was changed in another window. What this one sends may be older: then it is loaded. */
export function receiveFromOtherWindow(relationship: Relationship): void {
  receiveRelationship(relationship);
  if (relationshipChanges.isChanging(relationship.id)) outdated.add(relationship.id);
}

/** Accounts whose relationship was changed in another window while this one was sending a change. */
const outdated = new Set<string>();

/** Changes a stored relationship as the server did. No-op if it is not stored. */
export function changeRelationship(accountId: string, change: Partial<Relationship>): void {
  const stored = entry(accountId);
  if (stored.value !== undefined) stored.value = relationshipChanges.merge(accountId, stored.value, change);
}

function requestRelationship(accountId: string): void {
  if (requested.size === 0) setTimeout(() => void loadRequested(), 0);
  requested.add(accountId);
}

const maxPerRequest = 40;

async function loadRequested(): Promise<void> {
  const ids = [...requested];
  requested = new Set();
  for (let start = 0; start < ids.length; start += maxPerRequest) {
    const query = { id: ids.slice(start, start + maxPerRequest), with_suspended: true };
    try {
      const loaded = await request<readonly Relationship[]>('GET', '/api/v1/accounts/relationships', { query });
      for (const relationship of loaded) receiveRelationship(relationship);
    } catch {
      // They are requested again when the account is shown next.
    }
  }
}
