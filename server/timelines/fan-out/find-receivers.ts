import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { idArray } from '../../platform/database/id-array.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ListId, StatusId } from '../../platform/ids.ts';
import { belongsInHome, belongsInHomeByTag } from '../graph/belongs-in-home.ts';
import { belongsInList, visibleListMembers } from '../graph/belongs-in-list.ts';
import {
  connectedFollows,
  isAmongExclusive,
  isAmongUnwanted,
  isConnected,
  isRepeatIn,
  withConnected,
} from './connected-accounts.ts';

// Which of many home timelines and lists show a status, by the rules that fill the stored feeds. For streams.

interface ReceiversRow<Receiver> {
  readonly id: StatusId;
  /** In one row, because thousands of rows take longer to send and parse. */
  readonly receivers: readonly Receiver[];
}

interface Args {
  readonly statusIds: readonly StatusId[];
  /** Accounts or lists: `idArray`. */
  readonly connected: string;
  readonly now: Date;
}

const homeReceivers = preparedQuery<ReceiversRow<AccountId>>()((db, args: Args) => ({
  compile: () =>
    sql<ReceiversRow<AccountId>>`
      ${withConnected(args)}
      select s.id, json_agg(f.account_id::text) as receivers
      from post s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
      cross join lateral (${connectedFollows}) f
      where not ${isAmongExclusive} and ${belongsInHome(args.now, isAmongUnwanted(args.now))}
        and not ${isRepeatIn('home', sql`f.account_id`)}
      group by s.id
      union all
      select s.id, json_build_array(s.account_id::text) from post s
      where ${isConnected(sql`s.account_id`)} and not ${isRepeatIn('home', sql`s.account_id`)}
      union all
      select s.id, json_agg(f.account_id::text)
      from post s cross join lateral (select s.people) p
      join status_tags st on st.status_id = s.id
      join tag_follows f on f.tag_id = st.tag_id
      where ${isConnected(sql`f.account_id`)} and ${belongsInHomeByTag(args.now, isAmongUnwanted(args.now))}
      group by s.id`.compile(db),
}));

/** Returns those of many accounts whose home timelines show each of these statuses. */
export async function findHomeReceivers(
  app: App,
  accountIds: readonly AccountId[],
  statusIds: readonly StatusId[],
): Promise<ReadonlyMap<StatusId, readonly AccountId[]>> {
  if (accountIds.length === 0) return new Map();
  return receiversById(await homeReceivers(app, { statusIds, connected: idArray(accountIds), now: app.clock.now() }));
}

const listReceivers = preparedQuery<ReceiversRow<ListId>>()((db, args: Args) => ({
  compile: () =>
    sql<ReceiversRow<ListId>>`
      ${withConnected(args)}
      select s.id, json_agg(f.list_id::text) as receivers
      from post s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
      join (${visibleListMembers(sql`m.account_id = any(array(select account_id from post))
        and ${isConnected(sql`m.list_id`)}`)}) f on f.target_account_id = s.account_id
      where ${belongsInList(args.now, isAmongUnwanted(args.now))} and not ${isRepeatIn('list', sql`f.list_id`)}
      group by s.id`.compile(db),
}));

/** Returns those of many lists that show each of these statuses. */
export async function findListReceivers(
  app: App,
  listIds: readonly ListId[],
  statusIds: readonly StatusId[],
): Promise<ReadonlyMap<StatusId, readonly ListId[]>> {
  if (listIds.length === 0) return new Map();
  return receiversById(await listReceivers(app, { statusIds, connected: idArray(listIds), now: app.clock.now() }));
}

function receiversById<Receiver>(rows: readonly ReceiversRow<Receiver>[]): ReadonlyMap<StatusId, readonly Receiver[]> {
  const found = new Map<StatusId, readonly Receiver[]>();
  for (const { id, receivers } of rows) {
    const known = found.get(id);
    found.set(id, known === undefined ? receivers : [...new Set([...known, ...receivers])]);
  }
  return found;
}
