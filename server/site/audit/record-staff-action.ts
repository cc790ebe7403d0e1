import type { Transaction } from '../../platform/write/transaction.ts';
import { staffActed } from './events.ts';
import { staffAccountId, type Staff } from '../staff.ts';

/** What staff can change, as the audit log names it. A new kind is added here. */
export const auditTargets = [
  'account',
  'account_note',
  'announcement',
  'appeal',
  'canonical_email_block',
  'custom_emoji',
  'domain_allow',
  'domain_block',
  'domain_list',
  'email_domain_block',
  'feed',
  'hashtag',
  'instance',
  'held_post',
  'invite',
  'ip_block',
  'job',
  'link_publisher',
  'media',
  'moderation_rule',
  'provider',
  'relay',
  'report',
  'report_note',
  'role',
  'rule',
  'server',
  'site_image',
  'site_setting',
  'status',
  'terms_of_service',
  'trending_link',
  'trending_status',
  'user',
  'username_block',
  'warning',
  'warning_preset',
  'webhook',
] as const;
export type AuditTarget = (typeof auditTargets)[number];

/** What staff can do to it, in the imperative, as the audit log names it. A new verb is added here. */
export const auditVerbs = [
  'announce',
  'approve',
  'assign',
  'change_email',
  'change_role',
  'confirm_email',
  'copy',
  'create',
  'create_sign_in_link',
  'create_token',
  'cull',
  'delete',
  'delete_queue',
  'delete_statuses',
  'disable',
  'disable_second_factor',
  'discard',
  'draft',
  'enable',
  'except',
  'expire',
  'expire_all',
  'fetch',
  'follow',
  'forward',
  'include',
  'link',
  'mark_statuses_as_sensitive',
  'merge',
  'move',
  'pause',
  'publish',
  'purge',
  'rebuild',
  'refresh',
  'reject',
  'remove',
  'remove_cards',
  'remove_remote',
  'reopen',
  'repair',
  'replace',
  'resend_confirmation',
  'reset',
  'reset_followers',
  'reset_follows',
  'reset_password',
  'resolve',
  'resume',
  'retry',
  'review',
  'revoke_sessions',
  'revoke_tokens',
  'rotate_secret',
  'sensitize',
  'silence',
  'start_self_destruct',
  'stop_self_destruct',
  'subscribe',
  'suspend',
  'translate',
  'try',
  'unassign',
  'undo',
  'unlink',
  'unpublish',
  'unsensitize',
  'unsilence',
  'unsubscribe',
  'unsuspend',
  'update',
  'warn',
] as const;
export type AuditVerb = (typeof auditVerbs)[number];

/** Properties of a target as JSON; no passwords, keys or tokens. */
export type AuditDetails = Readonly<Record<string, unknown>>;

/** A change by staff, as the audit log stores it. */
export interface StaffAction {
  /** What was changed. */
  readonly target: AuditTarget;
  readonly verb: AuditVerb;
  /** Id of the target; absent if it has none. */
  readonly id?: string | undefined;
  /** What people call the target, such as name@domain, a domain or a hashtag. */
  readonly label: string;
  /** The properties that changed, before the change. Absent: the target is new. */
  readonly before?: AuditDetails | undefined;
  /** The same properties after the change. Absent: the target was deleted. */
  readonly after?: AuditDetails | undefined;
}

/** UTF-16 units, so that a page of the audit log stays small. */
const maxTextLength = 1_000;
const maxLabelLength = 200;

/**
 * Stores what staff changed in the audit log, in the same transaction. Every change by staff calls it once. Long texts
 * are truncated.
 */
export function recordStaffAction(
  { emit }: Pick<Transaction, 'emit'>,
  staff: Staff,
  { target, verb, id, label, before, after }: StaffAction,
): void {
  emit(
    staffActed({
      staffId: staffAccountId(staff),
      action: `${target}.${verb}`,
      targetType: target,
      targetId: id ?? null,
      targetLabel: truncate(label, maxLabelLength),
      before: before === undefined ? null : truncateTexts(before),
      after: after === undefined ? null : truncateTexts(after),
    }),
  );
}

const truncateTexts = (details: AuditDetails): AuditDetails =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' ? truncate(value, maxTextLength) : value,
    ]),
  );

const truncate = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;
