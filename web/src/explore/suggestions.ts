import { signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Relationship, Suggestion } from '../api/entities.ts';
import { relationshipOf, storeRelationship } from '../store/relationships.ts';
import { storeAccounts } from '../store/statuses.ts';
import { showError } from '../ui/toasts.tsx';

/** Accounts that the reader may want to follow; undefined until they are loaded. */
export const suggestions = signal<readonly Suggestion[] | undefined>(undefined);

/** Loads the suggestions. Throws ApiError or OfflineError. */
export async function loadSuggestions(): Promise<void> {
  const loaded = await request<readonly Suggestion[]>('GET', '/api/v2/suggestions', { query: { limit: 40 } });
  storeAccounts(loaded.map(({ account }) => account));
  suggestions.value = loaded;
}

/** Stops suggesting an account; it returns with a message if the server refuses. */
export async function dismissSuggestion(accountId: string): Promise<void> {
  const before = suggestions.peek();
  suggestions.value = before?.filter(({ account }) => account.id !== accountId);
  try {
    await request('DELETE', `/api/v1/suggestions/${accountId}`);
  } catch (error) {
    suggestions.value = before;
    showError(error, () => void dismissSuggestion(accountId));
  }
}

/** Follows an account at once, or unfollows it; undone with a message if the server refuses. */
export async function toggleFollow(accountId: string, isLocked: boolean): Promise<void> {
  const before = relationshipOf(accountId).peek();
  if (before === undefined) return;
  const isFollowed = before.following || before.requested;
  storeRelationship({ ...before, following: !isFollowed && !isLocked, requested: !isFollowed && isLocked });
  try {
    const path = `/api/v1/accounts/${accountId}/${isFollowed ? 'unfollow' : 'follow'}`;
    storeRelationship(await request<Relationship>('POST', path));
  } catch (error) {
    storeRelationship(before);
    showError(error, () => void toggleFollow(accountId, isLocked));
  }
}
