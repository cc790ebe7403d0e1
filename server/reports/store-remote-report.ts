import { sql } from 'kysely';
import type { AccountRow } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { AccountId, CollectionId, StatusId } from '../platform/ids.ts';
import { domainPolicy } from '../site/domains/index.ts';
import { cleanText, truncateText } from '../text/index.ts';
import { storeReport } from './store-report.ts';

/** A report by another server. */
export interface RemoteReport {
  /** The actor of the Flag. */
  readonly reporter: AccountRow;
  readonly targetAccountId: AccountId;
  /** Statuses that it names. Those that are not by the account, or that its server cannot know, are left out. */
  readonly statusIds: readonly StatusId[];
  readonly collectionIds: readonly CollectionId[];
  readonly comment: string;
  /** Of the Flag, on the host of the reporter. */
  readonly uri: string | undefined;
}

/** Characters (reference/limits.tsv). */
const maxCommentLength = 5_000;
/** Reports of one server in a day, as of one local account. Further ones are ignored. */
const maxPerDay = 400;
const dayMs = 86_400_000;

/**
 * Stores a report by another server for the staff, once. Ignores it if staff reject reports of the domain, or after too
 * many in a day.
 */
export async function storeRemoteReport(app: App, report: RemoteReport): Promise<void> {
  const { reporter, targetAccountId } = report;
  const { domain } = reporter;
  if (domain === null || reporter.id === targetAccountId) return;
  const rule = (await domainPolicy(app)).ruleFor(domain);
  if (rule.rejectReports || rule.severity === 'suspend') return;
  await transaction(app, async (tx) => {
    if (await hasReportedTooOften(tx, app, domain)) {
      app.log.info({ domain }, 'ignored a report: too many from this server');
      return;
    }
    await storeReport(tx, app, {
      accountId: reporter.id,
      targetAccountId,
      domain,
      uri: report.uri ?? null,
      category: 'other',
      comment: truncateText(cleanText(report.comment).trim(), maxCommentLength),
      ruleIds: null,
      statusIds: await listKnownStatuses(tx, domain, report),
      collectionIds: await listOwnCollections(tx, report),
      forwardDomains: [],
      forwarded: false,
    });
  });
}

async function hasReportedTooOften({ db }: Transaction, app: App, domain: string): Promise<boolean> {
  const since = new Date(app.clock.now().getTime() - dayMs);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from reports where domain = ${domain} and created_at > ${since}`.execute(db);
  return (rows[0]?.count ?? 0) >= maxPerDay;
}

/** Returns the named statuses of the account that are public, or in an audience with an account of the domain. */
async function listKnownStatuses(
  { db }: Transaction,
  domain: string,
  { statusIds, targetAccountId }: RemoteReport,
): Promise<StatusId[]> {
  if (statusIds.length === 0) return [];
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from statuses s
    where s.id = any(${statusIds}::bigint[]) and s.account_id = ${targetAccountId} and (
      s.visibility in ('public', 'unlisted')
      or exists (
        select from mentions join accounts on accounts.id = mentions.account_id
        where mentions.status_id = s.id and accounts.domain = ${domain})
      or (s.visibility = 'private' and exists (
        select from follows join accounts on accounts.id = follows.account_id
        where follows.target_account_id = s.account_id and accounts.domain = ${domain})))
    order by s.id`.execute(db);
  return rows.map(({ id }) => id);
}

async function listOwnCollections(
  { db }: Transaction,
  { collectionIds, targetAccountId }: RemoteReport,
): Promise<CollectionId[]> {
  if (collectionIds.length === 0) return [];
  const { rows } = await sql<{ id: CollectionId }>`
    select id from collections where id = any(${collectionIds}::bigint[]) and account_id = ${targetAccountId}
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}
