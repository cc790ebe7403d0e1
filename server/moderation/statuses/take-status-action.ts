import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import { compareIds, type AccountId, type StatusId } from '../../platform/ids.ts';
import { resolveReports, type ReportId } from '../../reports/index.ts';
import { lockReport, type ReportRow } from '../../reports/review/index.ts';
import type { Staff } from '../../site/index.ts';
import { setStatusSensitive } from '../../statuses/edit/index.ts';
import { enqueueNotice, type Notice } from '../../users/mails/index.ts';
import { composeText, loadTarget } from '../actions/take-action.ts';
import { applyDecision } from '../apply-decision.ts';
import type { WarningPresetId } from '../tables.ts';
import { recordWarning } from '../warnings/record-warning.ts';
import { deleteStatuses } from './delete-statuses.ts';
import { quotePosts } from './quote-posts.ts';

/** What staff can do about reported posts. */
export const statusActionTypes = ['delete_statuses', 'mark_statuses_as_sensitive'] as const;
export type StatusActionType = (typeof statusActionTypes)[number];

export interface StatusAction {
  readonly type: StatusActionType;
  readonly reportId: ReportId;
  /** Posts of the report; absent: all of them. */
  readonly statusIds?: readonly string[] | undefined;
  /** Message of staff in the mail to the user. */
  readonly text?: string | undefined;
  /** Its text precedes `text`. */
  readonly presetId?: WarningPresetId | undefined;
  /** Whether the user is notified; true by default. */
  readonly notify?: boolean | undefined;
}

interface StatusActionKind {
  readonly notice: Notice;
  /** Applies the action. Returns the posts that changed. */
  readonly apply: (tx: Transaction, app: App, ids: readonly StatusId[]) => Promise<StatusId[]>;
}

const kinds: Readonly<Record<StatusActionType, StatusActionKind>> = {
  delete_statuses: { notice: 'statusesDeleted', apply: deleteStatuses },
  mark_statuses_as_sensitive: { notice: 'statusesSensitized', apply: markSensitive },
};

/**
 * Deletes posts of a report, or marks those with media or a card as sensitive, in one transaction: stores a strike, resolves
 * the report and notifies a local user unless `notify` is false. Returns false if nothing changed. Throws 404 for an unknown
 * report or preset, or if its account was deleted; 403 if the staff member does not outrank the user; 422 if the report does
 * not name the posts, or the text is too long.
 */
export async function takeStatusAction(app: App, staff: Staff, action: StatusAction): Promise<boolean> {
  const { type, reportId, notify = true } = action;
  const accountId = await findReportedAccount(app, reportId);
  return applyDecision(app, staff, { accountId, action: type }, async (tx) => {
    // The account first, as every other decision about it does.
    await tx.db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    const statusIds = chooseStatuses(await lockReport(tx, reportId), action.statusIds);
    const text = await composeText(tx, action.text, action.presetId);
    const { hasUser } = await loadTarget(tx, accountId);
    const quotes = hasUser && notify ? await quotePosts(tx, statusIds) : {};
    const changed = await kinds[type].apply(tx, app, statusIds);
    const resolved = await resolveReports(tx, app, staff, { targetAccountId: accountId, reportId });
    const closed = resolved.length > 0 && { resolved_reports: resolved };
    if (changed.length === 0 && (await hasStrike(tx, { reportId, type }))) return closed;
    const strikeId = await recordWarning(tx, app, staff, {
      accountId,
      action: type,
      text,
      statusIds,
      reportId,
      effective: changed.length > 0,
      changedStatusIds: type === 'mark_statuses_as_sensitive' ? changed : [],
      notify: notify && hasUser,
    });
    if (notify) await enqueueNotice(tx, accountId, kinds[type].notice, { text, ...quotes });
    return { strike: strikeId, statuses: changed, ...(text !== '' && { text }), ...(closed !== false && closed) };
  });
}

async function findReportedAccount({ db }: App, reportId: ReportId): Promise<AccountId> {
  const report = await db
    .selectFrom('reports')
    .select('target_account_id')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow(() => notFound());
  return report.target_account_id;
}

/** Returns the chosen posts in the order of their ids, in which they are locked. */
function chooseStatuses({ status_ids: reported }: ReportRow, chosen: readonly string[] = reported): StatusId[] {
  if (chosen.length === 0) throw invalidField('status_ids', 'problems.needsItem');
  const wanted = new Set(chosen);
  const ids = new Set(reported.filter((id) => wanted.has(id)));
  if (ids.size < wanted.size) throw invalidField('status_ids', 'problems.notFound');
  return [...ids].toSorted(compareIds);
}

async function markSensitive(tx: Transaction, app: App, ids: readonly StatusId[]): Promise<StatusId[]> {
  const changed: StatusId[] = [];
  for (const id of ids) if (await setStatusSensitive(tx, app, id, true)) changed.push(id);
  return changed;
}

/** Whether an action of this type answered the report before. */
async function hasStrike(
  { db }: Transaction,
  { reportId, type }: { readonly reportId: ReportId; readonly type: StatusActionType },
): Promise<boolean> {
  const strike = await db
    .selectFrom('account_warnings')
    .select('id')
    .where('report_id', '=', reportId)
    .where('action', '=', type)
    .executeTakeFirst();
  return strike !== undefined;
}
