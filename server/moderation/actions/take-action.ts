import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden, invalidField, notFound } from '../../platform/http/http-errors.ts';
import { markSensitized, markSilenced, markSuspended } from '../../accounts/lifecycle/index.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { resolveReports, type ReportId } from '../../reports/index.ts';
import type { Staff } from '../../site/index.ts';
import { exceedsLimit } from '../../text/index.ts';
import { setUserDisabled } from '../../users/access/index.ts';
import { enqueueNotice, type Notice } from '../../users/mails/index.ts';
import { applyDecision, type ModerationAction, type ModerationDecision } from '../apply-decision.ts';
import { loadPresetText } from '../presets/load-preset-text.ts';
import type { WarningPresetId } from '../tables.ts';
import { recordWarning } from '../warnings/record-warning.ts';

/** What staff can do about an account: `none` only warns its user. */
export const actionTypes = ['none', 'sensitive', 'disable', 'silence', 'suspend'] as const;
export type ActionType = (typeof actionTypes)[number];

export interface AccountAction extends ModerationDecision {
  readonly type: ActionType;
  /** Its text precedes `text`. */
  readonly presetId?: WarningPresetId | undefined;
  /** The report that the action answers. */
  readonly reportId?: ReportId | undefined;
  /** Whether to do nothing, and resolve no reports, if the account has the state already: for rules, which match again. */
  readonly onlyIfNew?: boolean | undefined;
}

interface ActionKind {
  readonly verb: ModerationAction;
  readonly notice: Notice;
  /** Applies the action. Returns false if the account had that state before. */
  readonly apply: (tx: Transaction, app: App, accountId: AccountId) => Promise<boolean>;
}

const kinds: Readonly<Record<ActionType, ActionKind>> = {
  none: { verb: 'warn', notice: 'warned', apply: () => Promise.resolve(true) },
  sensitive: { verb: 'sensitize', notice: 'sensitized', apply: markSensitized },
  disable: { verb: 'disable', notice: 'disabled', apply: (tx, app, id) => setUserDisabled(tx, app, id, true) },
  silence: { verb: 'silence', notice: 'silenced', apply: markSilenced },
  suspend: { verb: 'suspend', notice: 'suspended', apply: markSuspended },
};

/** Characters of a message of staff. */
export const maxTextLength = 5_000;

/**
 * Applies an action to an account in one transaction: changes its state, stores a strike, resolves its open reports
 * (with `none` only the given one), and notifies a local user unless `notify` is false. Returns false if the account
 * had that state before, and the text says nothing that the last strike did not say. Throws 404 for an unknown account,
 * report or preset, 403 if the staff member does not outrank the user or the account has none to disable, 422 if the
 * text is too long.
 */
export function takeAction(app: App, staff: Staff, action: AccountAction): Promise<boolean> {
  const { type, accountId, presetId, reportId, notify = true, onlyIfNew = false } = action;
  const { verb, notice, apply } = kinds[type];
  return applyDecision(app, staff, { accountId, action: verb }, async (tx) => {
    const target = await loadTarget(tx, accountId);
    if (type === 'disable' && !target.hasUser) throw forbidden('users.remoteAccount');
    const text = await composeText(tx, action.text, presetId);
    const reported = reportId === undefined ? undefined : await requireReport(tx, accountId, reportId);
    const effective = await apply(tx, app, accountId);
    if (!effective && onlyIfNew) return false;
    const resolved =
      type === 'none' && reportId === undefined
        ? []
        : await resolveReports(tx, app, staff, {
            targetAccountId: accountId,
            ...(type === 'none' && { reportId }),
          });
    if (!effective && reportId === undefined && (await isRepetition(tx, accountId, { type, text })))
      return resolved.length > 0 && { resolved_reports: resolved };
    const strikeId = await recordWarning(tx, app, staff, {
      accountId,
      action: type,
      text,
      statusIds: reported?.statusIds,
      reportId,
      effective: effective && type !== 'none',
      notify: notify && target.hasUser,
    });
    if (notify) await enqueueNotice(tx, accountId, notice, { text });
    return {
      strike: strikeId,
      ...(text !== '' && { text }),
      ...(resolved.length > 0 && { resolved_reports: resolved }),
    };
  });
}

/** Whether the last strike of this type says the same, or there is nothing to say. */
async function isRepetition(
  { db }: Transaction,
  accountId: AccountId,
  { type, text }: { readonly type: ActionType; readonly text: string },
): Promise<boolean> {
  if (text === '') return true;
  const last = await db
    .selectFrom('account_warnings')
    .select('text')
    .where('account_id', '=', accountId)
    .where('action', '=', type)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.text === text;
}

/** Returns whether an account has a user, who can be notified. */
export async function loadTarget({ db }: Transaction, accountId: AccountId): Promise<{ readonly hasUser: boolean }> {
  const user = await db.selectFrom('users').select('id').where('account_id', '=', accountId).executeTakeFirst();
  return { hasUser: user !== undefined };
}

/** Returns the text of the preset and that of the staff member. */
export async function composeText(
  tx: Transaction,
  text: string | undefined,
  presetId: WarningPresetId | undefined,
): Promise<string> {
  const own = (text ?? '').trim();
  if (exceedsLimit(own, maxTextLength)) throw invalidField('text', 'problems.tooLong', { max: maxTextLength });
  const preset = presetId === undefined ? '' : await loadPresetText(tx, presetId);
  return [preset, own].filter((part) => part !== '').join('\n\n');
}

/** Returns what a report about an account names. Throws 404 if there is no such report about it. */
export async function requireReport(
  { db }: Transaction,
  accountId: AccountId,
  reportId: ReportId,
): Promise<{ readonly statusIds: StatusId[] | undefined }> {
  const report = await db
    .selectFrom('reports')
    .select('status_ids')
    .where('id', '=', reportId)
    .where('target_account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
  return { statusIds: report.status_ids.length > 0 ? report.status_ids : undefined };
}
