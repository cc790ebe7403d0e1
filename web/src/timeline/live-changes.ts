import { request } from '../api/client.ts';
import type { Status } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { onRelationshipChange } from '../store/relationships.ts';
import { deleteStatus, onDeletion, statusOf, storeStatus, storeStatuses } from '../store/statuses.ts';
import { idsOf } from './timeline-items.ts';
import { shownTimelines } from './timeline.ts';

let isFollowing = false;

/** Applies what changes in every timeline, as long as the client runs: deletions, edits, blocks, mutes and filters. */
export function followChanges(): void {
  if (isFollowing) return;
  isFollowing = true;
  onDeletion(removeFromTimelines);
  onRelationshipChange(({ id, blocking, muting, domain_blocking: isDomainBlocked }) => {
    if (blocking || muting || isDomainBlocked) removeAccount(id);
  });
  subscribe(
    { stream: 'user' },
    {
      onEvent: ({ event, payload = '' }) => {
        if (event === 'delete') deleteStatus(payload);
        if (event === 'status.update') storeStatus(JSON.parse(payload) as Status);
        if (event === 'filters_changed') void reloadFilters();
      },
      onOpen: () => undefined,
    },
  );
}

/** Removes a deleted post, and its boosts, from all timelines. */
function removeFromTimelines(id: string): void {
  for (const timeline of shownTimelines())
    timeline.removeWhere((shown) => shown === id || statusOf(shown).peek()?.reblog?.id === id);
}

/** Removes the posts of a blocked or muted account, and boosts of them. Profiles still show what they may. */
function removeAccount(accountId: string): void {
  for (const timeline of shownTimelines()) {
    if (timeline.source.context === 'account') continue;
    timeline.removeWhere((shown) => {
      const status = statusOf(shown).peek();
      return status?.account.id === accountId || status?.reblog?.account.id === accountId;
    });
  }
}

const maxPerRequest = 20;
const maxReloaded = 200;

/** Loads the posts that are shown again, because other filters apply to them. */
async function reloadFilters(): Promise<void> {
  const shown = [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row'] ?? '');
  const known = [...shownTimelines()].flatMap(({ items }) => idsOf(items.peek()));
  const ids = [...new Set([...shown, ...known])].slice(0, maxReloaded);
  for (let start = 0; start < ids.length; start += maxPerRequest) {
    const query = { id: ids.slice(start, start + maxPerRequest) };
    // What fails keeps its filters until it is loaded next.
    storeStatuses(await request<readonly Status[]>('GET', '/api/v1/statuses', { query }).catch(() => []));
  }
}
