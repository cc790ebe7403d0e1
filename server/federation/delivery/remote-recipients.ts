import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache } from '../../platform/caching/cache.ts';
import { evict } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { publish } from '../../platform/write/reactions.ts';
import type { Publish } from '../../platform/write/subscriptions.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { relationsChanged } from '../../relationships/index.ts';
import { statusCreated } from '../../statuses/index.ts';
import { peekAcceptedRelays, listAcceptedRelays } from './subscribed-relays.ts';

/** A new local status. */
interface CreatedStatus {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly direct: boolean;
  readonly public: boolean;
  readonly localOnly?: boolean | undefined;
  readonly reply: boolean;
  readonly mentions: boolean;
}

const hasRemoteFollowers = sql<boolean>`stats.followers_count > stats.local_followers_count`;

/** Whether local accounts have followers on other servers. */
export const remoteFollowers = new BatchLoadingCache<AccountId, boolean>({
  name: 'federation.remote_followers',
  maxSize: 10_000,
  ttlMs: 60_000,
  loadMany: async (app, accountIds) => {
    const followed = new Set((await followedAuthorRows(app, { accountIds })).map(({ id }) => id));
    return new Map(accountIds.map((id) => [id, followed.has(id)]));
  },
  evictOn: [evict(relationsChanged, ({ accountId }) => [accountId])],
});

const followedAuthorRows = preparedQuery<{ id: AccountId }>()(
  (db, { accountIds }: { accountIds: readonly AccountId[] }) => ({
    compile: () =>
      sql<{ id: AccountId }>`select account_id as id from account_stats stats
        where account_id = any(${accountIds}::bigint[]) and ${hasRemoteFollowers}`.compile(db),
  }),
);

/** Loads for later posts of the same authors what `filterWithRemoteRecipients` would ask the database for. */
export const loadReachOfAuthors: Publish = publish([statusCreated], {
  onlyHere: true,
  runBatch: async (app, created) => {
    const authors = new Set(created.filter(({ local }) => local).map(({ accountId }) => accountId));
    if (authors.size === 0) return;
    await Promise.all([remoteFollowers.getMany(app, authors), listAcceptedRelays(app)]);
  },
});

/**
 * Returns the new statuses of remote followers, mentions or a remote parent, and the public ones if there are
 * relays. Most posts need no delivery. Costs a round trip only for replies, mentions, and authors who are not cached.
 */
export async function filterWithRemoteRecipients<Created extends CreatedStatus>(
  tx: Transaction,
  app: App,
  created: readonly Created[],
): Promise<Created[]> {
  const shared = created.filter(({ localOnly }) => localOnly !== true);
  const known = new Map(shared.map(({ statusId, ...status }) => [statusId, peekReach(app, status)]));
  const unknown = shared.filter(({ statusId }) => known.get(statusId) === undefined);
  const remoteIds = unknown.length === 0 ? new Set<StatusId>() : await findWithRemoteRecipients(tx, unknown);
  return shared.filter(({ statusId }) => known.get(statusId) ?? remoteIds.has(statusId));
}

/** Returns whether a status has recipients on other servers, if that is known without the database. */
function peekReach(app: App, status: Omit<CreatedStatus, 'statusId'>): boolean | undefined {
  const isFollowed = status.direct ? false : remoteFollowers.peek(app, status.accountId);
  const isRelayed = status.public ? hasRelays(app) : false;
  if (isFollowed === true || isRelayed === true) return true;
  return status.reply || status.mentions || isFollowed === undefined || isRelayed === undefined ? undefined : false;
}

function hasRelays(app: App): boolean | undefined {
  const relays = peekAcceptedRelays(app);
  return relays === undefined ? undefined : relays.length > 0;
}

async function findWithRemoteRecipients(
  { db }: Transaction,
  created: readonly CreatedStatus[],
): Promise<ReadonlySet<StatusId>> {
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from statuses s join account_stats stats on stats.account_id = s.account_id
    where s.id = any(${created.map(({ statusId }) => statusId)}::bigint[]) and (
      (s.visibility <> 'direct' and ${hasRemoteFollowers})
      or (s.visibility = 'public' and exists (select 1 from relays where state = 'accepted'))
      or exists (select 1 from accounts a where a.id = s.in_reply_to_account_id and a.domain is not null)
      or exists (
        select 1 from mentions m join accounts a on a.id = m.account_id
        where m.status_id = s.id and a.domain is not null))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
