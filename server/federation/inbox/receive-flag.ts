import { sql } from 'kysely';
import { instanceActorId } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { hasAnyAddress } from '../../platform/database/has-address.ts';
import type { AccountId, CollectionId, StatusId } from '../../platform/ids.ts';
import { storeRemoteReport } from '../../reports/index.ts';
import { idOf, idsOf, isSameHost, textOf } from '../documents/values.ts';
import { findAccountByAddress } from '../find-account-by-address.ts';
import { parseStatusAddress } from '../local-addresses.ts';
import type { ReceivedActivity } from './received-activity.ts';

/** Addresses that are read of one report. */
const maxObjects = 110;
/** Accounts of one report; each becomes a report. */
const maxAccounts = 10;
/** Characters that are read of a comment; fewer are stored. */
const maxCommentLength = 20_000;

/**
 * Stores a report for the staff: one for each local account that it names, and each remote one with a post that replies
 * to a local account. Unknown accounts, posts and collections are ignored. Without an account, those of the posts count.
 */
export async function receiveFlag(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const uris = [...new Set(idsOf(activity['object']))].slice(0, maxObjects);
  if (uris.length === 0) return;
  const [accounts, statuses, collections] = await Promise.all([
    findAccounts(app, uris),
    findStatuses(app, uris),
    findCollections(app, uris),
  ]);
  const concerned = new Set(statuses.filter(({ concernsUs }) => concernsUs).map(({ accountId }) => accountId));
  const named = accounts.filter(({ id, isLocal }) => isLocal || concerned.has(id)).map(({ id }) => id);
  const targets = accounts.length > 0 ? named : [...concerned];
  const id = idOf(activity);
  for (const targetAccountId of targets.slice(0, maxAccounts)) {
    await storeRemoteReport(app, {
      reporter: actor,
      targetAccountId,
      statusIds: statuses.filter(({ accountId }) => accountId === targetAccountId).map((status) => status.id),
      collectionIds: collections.filter(({ accountId }) => accountId === targetAccountId).map((each) => each.id),
      comment: textOf(activity, 'content', maxCommentLength) ?? '',
      uri: id !== undefined && isSameHost(id, actor.uri) ? id : undefined,
    });
  }
}

async function findAccounts(app: App, uris: readonly string[]): Promise<{ id: AccountId; isLocal: boolean }[]> {
  const found = await Promise.all(uris.map((uri) => findAccountByAddress(app, uri)));
  const accounts = new Map(found.flatMap((account) => (account === undefined ? [] : [[account.id, account]])));
  return [...accounts.values()]
    .filter(({ id, suspended_at, activated }) => suspended_at === null && activated && id !== instanceActorId)
    .map(({ id, domain }) => ({ id, isLocal: domain === null }));
}

interface ReportedStatus {
  readonly id: StatusId;
  readonly accountId: AccountId;
  /** Local, or a reply to a local account. */
  readonly concernsUs: boolean;
}

/** Finds stored statuses, also those that were deleted a short time ago. */
async function findStatuses(app: App, uris: readonly string[]): Promise<ReportedStatus[]> {
  const addresses = uris.flatMap((uri) => parseStatusAddress(app, uri) ?? []);
  const { rows } = await sql<ReportedStatus>`
    select statuses.id, statuses.account_id as "accountId",
      statuses.local or (parent.id is not null and parent.domain is null) as "concernsUs"
    from statuses
      join accounts author on author.id = statuses.account_id
      left join accounts parent on parent.id = statuses.in_reply_to_account_id
    where (${hasAnyAddress('statuses.uri', uris)} or (statuses.id, statuses.local) in (
        select * from unnest(${addresses.map(({ id }) => id)}::bigint[], ${addresses.map(({ local }) => local)}::boolean[])))
      and author.suspended_at is null and author.deleted_at is null
    order by statuses.id`.execute(app.db);
  return rows;
}

async function findCollections(
  { db }: App,
  uris: readonly string[],
): Promise<{ id: CollectionId; accountId: AccountId }[]> {
  const { rows } = await sql<{ id: CollectionId; accountId: AccountId }>`
    select id, account_id as "accountId" from collections where uri = any(${uris}::text[]) order by id`.execute(db);
  return rows;
}
