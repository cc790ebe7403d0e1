import { sql } from 'kysely';
import { instanceActorId } from '../../accounts/index.ts';
import { findAccount } from '../../accounts/find/index.ts';
import { ensureInstanceActor } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { AccountId } from '../../platform/ids.ts';
import { reportCreated, reportForwarded, type ReportId } from '../../reports/index.ts';
import { flag } from '../documents/activities.ts';
import { accountInboxes } from './inboxes.ts';
import { storeActivities, type OutgoingActivity } from './store-activity.ts';

/** The recipients on one server, and the objects that they receive. */
interface ReportCopy {
  readonly accountIds: readonly AccountId[];
  readonly objects: readonly string[];
}

/**
 * Sends a report to the servers that its author or staff chose, or to one of them, in the name of the instance actor,
 * so that nobody learns who reported. The server of the account receives everything; each other one only the posts that
 * reply to its accounts.
 */
async function deliverReport(app: App, reportId: ReportId, onlyDomain?: string): Promise<void> {
  const report = await app.db
    .selectFrom('reports')
    .select(['id', 'target_account_id', 'comment', 'forward_domains', 'forwarded'])
    .where('id', '=', reportId)
    .executeTakeFirst();
  if (report === undefined || report.forward_domains.length === 0) return;
  const target = await findAccount(app, report.target_account_id);
  if (target === undefined || target.domain === null) return;
  const copies = await listRepliedToServers(app, reportId);
  if (report.forwarded)
    copies.set(target.domain, { accountIds: [target.id], objects: await listObjects(app, reportId) });
  const actor = await ensureInstanceActor(app);
  await transaction(app, async (tx) => {
    const activities: OutgoingActivity[] = [];
    for (const domain of onlyDomain === undefined ? report.forward_domains : [onlyDomain]) {
      const copy = copies.get(domain);
      if (copy === undefined) continue;
      activities.push({
        senderId: instanceActorId,
        activity: flag(actor, report.id, {
          account: target.uri,
          objects: copy.objects,
          comment: report.comment,
        }),
        inboxes: await accountInboxes(tx.db, copy.accountIds),
        orderKey: `report ${report.id}`,
      });
    }
    await storeActivities(tx, app, activities);
  });
}

/** Returns the addresses of the reported posts, in the order of the report, of deleted ones, and of collections. */
async function listObjects({ db }: App, reportId: ReportId): Promise<string[]> {
  const { rows } = await sql<{ uri: string }>`
    (select statuses.uri from reports join statuses on statuses.id = any(reports.status_ids) where reports.id = ${reportId}
    order by array_position(reports.status_ids, statuses.id))
    union all
    select copy.uri from reported_statuses copy
    where copy.report_id = ${reportId} and not exists (select from statuses where statuses.id = copy.status_id)
    union all
    select collections.uri from reports join collections on collections.id = any(reports.collection_ids)
    where reports.id = ${reportId}`.execute(db);
  return rows.map(({ uri }) => uri);
}

/** Returns the servers, by domain, with accounts that the reported posts reply to. */
async function listRepliedToServers({ db }: App, reportId: ReportId): Promise<Map<string, ReportCopy>> {
  const { rows } = await sql<{ domain: string; accountId: AccountId; uri: string }>`
    select account.domain, account.id as "accountId", statuses.uri from reports
      join statuses on statuses.id = any(reports.status_ids)
      join accounts account on account.id = statuses.in_reply_to_account_id
    where reports.id = ${reportId} and account.domain = any(reports.forward_domains)`.execute(db);
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ domain }) => domain),
      ([domain, replies]) => [
        domain,
        { accountIds: replies.map(({ accountId }) => accountId), objects: replies.map(({ uri }) => uri) },
      ],
    ),
  );
}

export const reportDeliveries: readonly Subscription[] = [
  later('default', [reportCreated], {
    name: 'report.deliver',
    run: (app, { reportId }) => deliverReport(app, reportId),
  }),
  later('default', [reportForwarded], {
    name: 'report.deliver_forwarded',
    run: (app, { reportId, domain }) => deliverReport(app, reportId, domain),
  }),
];
