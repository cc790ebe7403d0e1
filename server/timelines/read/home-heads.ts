import { loadFollowedTagIds } from '../../hashtags/index.ts';
import { rootApp, type App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evict } from '../../platform/caching/cache-reactions.ts';
import { maxId, type AccountId, type TagId } from '../../platform/ids.ts';
import { loadFollowedIds } from '../../relationships/rules/index.ts';
import { statusCreated, statusReblogged } from '../../statuses/index.ts';
import { homeFeedChanged } from '../events.ts';
import { homeChanges, type HomeChange } from '../feeds/home-changes.ts';
import { extraEntries, queryHomeEntries, type StoredEntries } from './find-stored-entries.ts';
import { repeatDistance } from './hide-repeats.ts';

/** What `listFeedIds` reads for the longest first page. */
export const maxHeadEntries = 40 + extraEntries + repeatDistance;

/** The newest entries of a stored home feed. */
interface HomeHead extends StoredEntries {
  /** Changes of home feeds that are in the entries, or do not concern them: a count of `homeChanges`. */
  seen: number;
}

/**
 * The newest entries of home feeds that are read again and again. Changes of one feed evict it. A fan-out changes thousands
 * of feeds, so each read decides whether a change since the last one concerns the feed.
 */
export const homeHeads = new LoadingCache<AccountId, HomeHead, HomeHead | undefined>({
  name: 'timeline.home_heads',
  maxSize: 2_000,
  ttlMs: 60_000,
  load: async (app, accountId) => {
    // Counted first: a change that arrives during the load may be missing from it.
    const seen = homeChanges(app).count;
    const stored = await queryHomeEntries(app, 'desc', { accountId, bound: maxId, count: maxHeadEntries });
    return stored && { ...stored, seen };
  },
  evictOn: [
    evict(homeFeedChanged, ({ accountId }) => [accountId]),
    // Their author's own feed has them in the same transaction.
    evict(statusCreated, ({ accountId }) => [accountId]),
    evict(statusReblogged, ({ accountId }) => [accountId]),
  ],
});

/** Returns up to `maxHeadEntries` of the newest entries of a stored home feed; undefined if it is not stored. */
export async function findHomeHead(app: App, accountId: AccountId): Promise<StoredEntries | undefined> {
  // Not from a replica: `homeChanges` counts what the primary has.
  const head = await homeHeads.get(rootApp(app), accountId);
  if (head === undefined || (await isCurrent(app, accountId, head))) return head;
  // Evicting first, so that this load joins none that began before the change.
  homeHeads.evict(app, accountId);
  return homeHeads.get(rootApp(app), accountId);
}

/** Whether no change since the last look concerns the feed. */
async function isCurrent(app: App, accountId: AccountId, head: HomeHead): Promise<boolean> {
  const changes = homeChanges(app);
  const { count } = changes;
  const later = changes.after(head.seen);
  if (later === undefined) return false;
  if (later.length > 0) {
    const hasTags = later.some(
      (change) => change.kind === 'inserted' && change.by !== 'anyone' && change.by.tagIds.length > 0,
    );
    const [followed, tags] = await Promise.all([
      loadFollowedIds(app, accountId),
      hasTags ? loadFollowedTagIds(app, accountId) : undefined,
    ]);
    if (later.some((change) => concerns(change, head, { followed, tags }))) return false;
  }
  head.seen = count;
  return true;
}

interface Followed {
  readonly followed: ReadonlySet<AccountId>;
  readonly tags: ReadonlySet<TagId> | undefined;
}

function concerns(change: HomeChange, { entries }: HomeHead, { followed, tags }: Followed): boolean {
  if (change.kind === 'deleted')
    return entries.some(({ id, reblogOfId }) => id === change.statusId || reblogOfId === change.statusId);
  const { by } = change;
  return by === 'anyone' || followed.has(by.authorId) || by.tagIds.some((id) => tags?.has(id));
}
