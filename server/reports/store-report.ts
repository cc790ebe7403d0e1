import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId, type CollectionId, type StatusId } from '../platform/ids.ts';
import { reportCreated } from './events.ts';
import type { ReportCategory } from './schema.ts';
import { writable, type ReportId } from './tables.ts';

/** A validated report. */
export interface NewReport {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
  /** Of a remote reporter. */
  readonly domain: string | null;
  /** Of the Flag activity. */
  readonly uri: string | null;
  readonly category: ReportCategory;
  readonly comment: string;
  readonly ruleIds: readonly string[] | null;
  readonly statusIds: readonly StatusId[];
  readonly collectionIds: readonly CollectionId[];
  readonly forwardDomains: readonly string[];
  readonly forwarded: boolean;
}

const maxRepeatMs = 3_600_000;

/**
 * Stores a report with copies of its posts, and returns its id. A report with the same
 * Flag, or with the same content as an open one of the last hour by the same reporter, is that report.
 */
export async function storeReport(tx: Transaction, app: App, report: NewReport): Promise<ReportId> {
  // Two requests with the same report wait for each other.
  await tx.db.selectFrom('accounts').select('id').where('id', '=', report.accountId).forNoKeyUpdate().execute();
  const repeated = await findRepeated(tx, app, report);
  if (repeated !== undefined) return repeated;
  const now = app.clock.now();
  const id = newId<'report'>(now);
  await writable(tx.db)
    .insertInto('reports')
    .values({
      id,
      account_id: report.accountId,
      target_account_id: report.targetAccountId,
      domain: report.domain,
      uri: report.uri,
      category: report.category,
      comment: report.comment,
      rule_ids: report.ruleIds && [...report.ruleIds],
      status_ids: [...report.statusIds],
      collection_ids: [...report.collectionIds],
      forward_domains: [...report.forwardDomains],
      forwarded: report.forwarded,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await copyStatuses(tx, id, report.statusIds);
  tx.emit(reportCreated({ reportId: id, accountId: report.accountId, targetAccountId: report.targetAccountId }));
  return id;
}

async function findRepeated({ db }: Transaction, app: App, report: NewReport): Promise<ReportId | undefined> {
  const { rows } = await sql<{ id: ReportId }>`
    select id from reports
    where target_account_id = ${report.targetAccountId}
      and (uri = ${report.uri}::text or (
        account_id = ${report.accountId} and action_taken_at is null
        and created_at > ${new Date(app.clock.now().getTime() - maxRepeatMs)}
        and comment = ${report.comment} and category = ${report.category}
        and rule_ids is not distinct from ${report.ruleIds}::bigint[]
        and status_ids = ${report.statusIds}::bigint[] and collection_ids = ${report.collectionIds}::bigint[]
        and forward_domains = ${report.forwardDomains}::text[]))
    order by id limit 1`.execute(db);
  return rows[0]?.id;
}

async function copyStatuses({ db }: Transaction, reportId: ReportId, ids: readonly StatusId[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into reported_statuses (
      report_id, status_id, uri, url, content, spoiler_text, sensitive, visibility, media_descriptions, poll_options,
      created_at, edited_at)
    select ${reportId}::bigint, reported.id, status.uri, status.url, status.content, status.spoiler_text,
      status.sensitive, status.visibility,
      array(
        select coalesce(media.description, '') from media_attachments media
        where media.id = any(status.media_ids) order by array_position(status.media_ids, media.id)),
      coalesce(polls.options, '{}'), status.created_at, status.edited_at
    from statuses reported
      join statuses status on status.id = coalesce(reported.reblog_of_id, reported.id)
      left join polls on polls.id = status.poll_id
    where reported.id = any(${ids}::bigint[])`.execute(db);
}
