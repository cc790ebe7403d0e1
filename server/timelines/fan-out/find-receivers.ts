import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { idArray } from '../../platform/database/id-array.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ListId, StatusId } from '../../platform/ids.ts';
import type { FeedRef } from '../feeds/feed-tables.ts';
import { pendingStatuses } from '../feeds/pending-statuses.ts';
import { belongsInHome, belongsInHomeByTag } from '../graph/belongs-in-home.ts';
import { belongsInList, visibleListMembers } from '../graph/belongs-in-list.ts';
import {
  connectedFollows,
  isAmongExclusive,
  isAmongUnwanted,
  isConnected,
  isRepeatIn,
  joinedToPost,
  withConnected,
} from './connected-accounts.ts';

// Which of many home timelines and lists show a status, by the rules that fill the stored feeds. For streams, and for
// statuses that are not in stored feeds yet.

interface ReceiversRow<Receiver> {
  readonly id: StatusId;
  /** In one row, because thousands of rows take longer to send and parse. */
  readonly receivers: readonly Receiver[];
}

interface Args {
  readonly statusIds: readonly StatusId[];
  /** Accounts or lists: `idArray`. */
  readonly connected: string;
  /** Leaves out the feeds that show a reblog as a repeat. */
  readonly withoutRepeats: boolean;
  readonly now: Date;
}

const isHiddenIn = (
  kind: FeedRef['kind'],
  feedId: RawBuilder<unknown>,
  { withoutRepeats }: Args,
): RawBuilder<boolean> => sql<boolean>`(${withoutRepeats}::boolean and ${isRepeatIn(kind, feedId)})`;

const homeReceivers = preparedQuery<ReceiversRow<AccountId>>()((db, args: Args) => ({
  compile: () =>
    sql<ReceiversRow<AccountId>>`
      ${withConnected(args)}
      select s.id, json_agg(f.account_id::text) as receivers
      from post s ${joinedToPost} cross join lateral (${connectedFollows}) f
      where not ${isAmongExclusive} and ${belongsInHome(args.now, isAmongUnwanted(args.now))}
        and not ${isHiddenIn('home', sql`f.account_id`, args)}
      group by s.id
      union all
      select s.id, json_build_array(s.account_id::text) from post s
      where ${isConnected(sql`s.account_id`)} and not ${isHiddenIn('home', sql`s.account_id`, args)}`.compile(db),
}));

/** Those who follow hashtags of the statuses, apart from `homeReceivers` because most statuses have none. */
const tagReceivers = preparedQuery<ReceiversRow<AccountId>>()((db, args: Args) => ({
  compile: () =>
    sql<ReceiversRow<AccountId>>`
      ${withConnected(args)}
      select s.id, json_agg(f.account_id::text) as receivers
      from post s cross join lateral (select s.people) p
      join status_tags st on st.status_id = s.id
      join tag_follows f on f.tag_id = st.tag_id
      where ${isConnected(sql`f.account_id`)} and ${belongsInHomeByTag(args.now, isAmongUnwanted(args.now))}
      group by s.id`.compile(db),
}));

async function queryHomeReceivers(app: App, args: Args): Promise<ReceiversRow<AccountId>[]> {
  const tagged = args.statusIds.filter((id) => pendingStatuses(app).mayHaveTags(id));
  const [followers, tagFollowers] = await Promise.all([
    homeReceivers(app, args),
    tagged.length === 0 ? [] : tagReceivers(app, { ...args, statusIds: tagged }),
  ]);
  return [...followers, ...tagFollowers];
}

const listReceivers = preparedQuery<ReceiversRow<ListId>>()((db, args: Args) => ({
  compile: () =>
    sql<ReceiversRow<ListId>>`
      ${withConnected(args)}
      select s.id, json_agg(f.list_id::text) as receivers
      from post s ${joinedToPost} join (${visibleListMembers(sql`m.account_id = any(array(select account_id from post))
        and ${isConnected(sql`m.list_id`)}`)}) f on f.target_account_id = s.account_id
      where ${belongsInList(args.now, isAmongUnwanted(args.now))} and not ${isHiddenIn('list', sql`f.list_id`, args)}
      group by s.id`.compile(db),
}));

interface FindOptions {
  /** Also returns feeds that hide a reblog, because they show the status already. */
  readonly withRepeats?: boolean;
}

/** Returns those of many accounts whose home timelines show each of these statuses. */
export async function findHomeReceivers(
  app: App,
  accountIds: readonly AccountId[],
  statusIds: readonly StatusId[],
  options?: FindOptions,
): Promise<ReceiversById<AccountId>> {
  return findReceivers(app, queryHomeReceivers, { connected: accountIds, statusIds }, options);
}

/** Returns those of many lists that show each of these statuses. */
export async function findListReceivers(
  app: App,
  listIds: readonly ListId[],
  statusIds: readonly StatusId[],
  options?: FindOptions,
): Promise<ReceiversById<ListId>> {
  return findReceivers(app, listReceivers, { connected: listIds, statusIds }, options);
}

type ReceiversById<Receiver> = ReadonlyMap<StatusId, readonly Receiver[]>;

interface Question<Receiver> {
  readonly connected: readonly Receiver[];
  readonly statusIds: readonly StatusId[];
}

async function findReceivers<Receiver extends AccountId | ListId>(
  app: App,
  query: (app: App, args: Args) => Promise<ReceiversRow<Receiver>[]>,
  { connected, statusIds }: Question<Receiver>,
  { withRepeats = false }: FindOptions = {},
): Promise<ReceiversById<Receiver>> {
  if (connected.length === 0 || statusIds.length === 0) return new Map();
  const args = { connected: idArray(connected), now: app.clock.now() };
  if (withRepeats) return receiversById(await query(app, { ...args, statusIds, withoutRepeats: false }));
  const pending = pendingStatuses(app);
  const earlier = new Map(statusIds.map((id) => [id, pending.listEarlier(id)]));
  const earlierIds = [...new Set([...earlier.values()].flat())];
  const [found, shown] = await Promise.all([
    query(app, { ...args, statusIds, withoutRepeats: true }),
    earlierIds.length === 0 ? [] : query(app, { ...args, statusIds: earlierIds, withoutRepeats: false }),
  ]);
  return removeRepeats(receiversById(found), earlier, receiversById(shown));
}

/** Removes the receivers to which an earlier reblog of the same status belongs that is not in stored feeds yet. */
function removeRepeats<Receiver>(
  found: ReceiversById<Receiver>,
  earlier: ReadonlyMap<StatusId, readonly StatusId[]>,
  shown: ReceiversById<Receiver>,
): ReceiversById<Receiver> {
  if (shown.size === 0) return found;
  const remaining = [...found].map(([id, receivers]) => {
    const repeats = new Set((earlier.get(id) ?? []).flatMap((other) => shown.get(other) ?? []));
    return [id, receivers.filter((receiver) => !repeats.has(receiver))] as const;
  });
  return new Map(remaining);
}

function receiversById<Receiver>(rows: readonly ReceiversRow<Receiver>[]): ReceiversById<Receiver> {
  const found = new Map<StatusId, readonly Receiver[]>();
  for (const { id, receivers } of rows) {
    const known = found.get(id);
    found.set(id, known === undefined ? receivers : [...new Set([...known, ...receivers])]);
  }
  return found;
}
