import { sql } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import { normalizeDomain, requireAccount, type AccountRow } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { notFound, validationFailed, invalidField } from '../platform/http/http-errors.ts';
import type { AccountId, CollectionId, StatusId } from '../platform/ids.ts';
import { domainPolicy } from '../site/domains/index.ts';
import { isReadableSql } from '../statuses/visibility/index.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';
import type { ReportCategory } from './schema.ts';
import { parseRules } from './parse-rules.ts';
import { storeReport } from './store-report.ts';
import type { ReportId } from './tables.ts';

/** What a local user reports. */
export interface ReportInput {
  readonly targetAccountId: AccountId;
  /** Posts of the account. */
  readonly statusIds?: readonly StatusId[] | undefined;
  /** Collections of the account. */
  readonly collectionIds?: readonly CollectionId[] | undefined;
  readonly comment?: string | undefined;
  /** Default: `violation` with rules, otherwise `other`. */
  readonly category?: ReportCategory | undefined;
  /** The broken rules, which make it a violation. */
  readonly ruleIds?: readonly string[] | undefined;
  /** Sends a copy to the servers concerned, without the name of the reporter. */
  readonly forward?: boolean | undefined;
  /** The servers that receive the copy. Default: that of the account. */
  readonly forwardToDomains?: readonly string[] | undefined;
}

/** Characters (reference/limits.tsv). */
const maxCommentLength = 1_000;
/** More than a person picks; each is copied. */
const maxStatuses = 100;
const maxCollections = 100;

/**
 * Reports an account to the staff, and returns the id of the report. Throws 404 for an unknown account, or a post or
 * collection that is not by it or that the reporter may not see; 422 for invalid values. Blocks and deletions hide
 * nothing from a report.
 */
export async function reportAccount(app: App, accountId: AccountId, input: ReportInput): Promise<ReportId> {
  const comment = parseComment(input.comment ?? '');
  const statusIds = [...new Set(input.statusIds)];
  const collectionIds = [...new Set(input.collectionIds)];
  if (statusIds.length > maxStatuses) throw invalidField('status_ids', 'problems.tooLongList', { max: maxStatuses });
  if (collectionIds.length > maxCollections)
    throw invalidField('collection_ids', 'problems.tooLongList', { max: maxCollections });
  const target = await requireAccount(app, input.targetAccountId);
  if (target.id === instanceActorId) throw notFound();
  if (target.id === accountId) throw validationFailed('reports.ownAccount');
  const [ruleIds] = await Promise.all([
    parseRules(app, input.ruleIds),
    requireReadableStatuses(app, { accountId, targetId: target.id, statusIds }),
    requireCollections(app, target.id, collectionIds),
  ]);
  const category = ruleIds.length > 0 ? 'violation' : (input.category ?? 'other');
  const forwardDomains = input.forward === true ? await chooseForwardDomains(app, target, statusIds, input) : [];
  return transaction(app, (tx) =>
    storeReport(tx, app, {
      accountId,
      targetAccountId: target.id,
      domain: null,
      uri: null,
      category,
      comment,
      ruleIds: category === 'violation' ? ruleIds : null,
      statusIds,
      collectionIds,
      forwardDomains,
      forwarded: target.domain !== null && forwardDomains.includes(target.domain),
    }),
  );
}

function parseComment(text: string): string {
  const comment = cleanText(text).trim();
  if (exceedsLimit(comment, maxCommentLength))
    throw invalidField('comment', 'problems.tooLong', { max: maxCommentLength });
  return comment;
}

/** Throws 404 unless all statuses are by the target and in an audience of the reporter. Deleted ones count, too. */
async function requireReadableStatuses(
  { db }: App,
  { accountId, targetId, statusIds }: { accountId: AccountId; targetId: AccountId; statusIds: readonly StatusId[] },
): Promise<void> {
  if (statusIds.length === 0) return;
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from statuses s
    where s.id = any(${statusIds}::bigint[]) and s.account_id = ${targetId}
      and ${isReadableSql(sql`${accountId}::bigint`)}`.execute(db);
  if (rows.length !== statusIds.length) throw notFound();
}

/** Throws 404 unless all collections are by the target. Everyone with its id may see a collection. */
async function requireCollections({ db }: App, targetId: AccountId, ids: readonly CollectionId[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql`
    select id from collections where id = any(${ids}::bigint[]) and account_id = ${targetId}`.execute(db);
  if (rows.length !== ids.length) throw notFound();
}

/**
 * Returns the servers that receive a copy: of those requested, the server of a remote account, and those of the remote
 * accounts that its reported posts reply to. Suspended domains receive none.
 */
async function chooseForwardDomains(
  app: App,
  target: AccountRow,
  statusIds: readonly StatusId[],
  { forwardToDomains }: ReportInput,
): Promise<string[]> {
  if (target.domain === null) return [];
  const requested = new Set((forwardToDomains ?? [target.domain]).map((domain) => normalizeDomain(domain.trim())));
  const { rows } = await sql<{ domain: string }>`
    select distinct account.domain from statuses
      join accounts account on account.id = statuses.in_reply_to_account_id
    where statuses.id = any(${statusIds}::bigint[]) and account.domain is not null
    order by account.domain`.execute(app.db);
  const policy = await domainPolicy(app);
  return [...new Set([target.domain, ...rows.map(({ domain }) => domain)])].filter(
    (domain) => requested.has(domain) && policy.ruleFor(domain).severity !== 'suspend',
  );
}
