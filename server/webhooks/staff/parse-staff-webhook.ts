import type { App } from '../../platform/app.ts';
import { forbidden, invalidFieldsError, type FieldError } from '../../platform/http/http-errors.ts';
import type { Staff } from '../../site/index.ts';
import { hasPermission, type Permission } from '../../users/access/index.ts';
import { blankError, findUrlErrors } from '../parse-webhook.ts';
import type { StaffEvent, StaffWebhookInput } from './schema.ts';
import { findTemplateProblem } from './template.ts';

/** The permissions that show the same. */
const permissionByEvent: Readonly<Record<StaffEvent, Permission>> = {
  'account.approved': 'manage_users',
  'account.created': 'manage_users',
  'account.updated': 'manage_users',
  'held_post.created': 'manage_reports',
  'report.created': 'manage_reports',
  'report.updated': 'manage_reports',
  'status.created': 'view_devops',
  'status.updated': 'view_devops',
};

/** Who manages a webhook of staff. */
export interface Manager {
  readonly staff: Staff;
  /** Of the role of the staff member. The command line has all. */
  readonly permissions: bigint;
}

/** The settings of a webhook of staff. */
export interface StaffWebhookSettings {
  readonly url: string;
  readonly events: readonly StaffEvent[];
  readonly template: string | null;
}

/**
 * Validates the settings of a webhook of staff; absent ones remain `current`. Throws 422 for an invalid address or
 * template or without events, 403 for an event that the staff member may not see.
 */
export function parseStaffWebhook(
  app: App,
  { staff, permissions }: Manager,
  input: StaffWebhookInput,
  current: StaffWebhookSettings = { url: '', events: [], template: null },
): StaffWebhookSettings {
  const url = input.url?.trim() ?? current.url;
  const events = [...new Set(input.events ?? current.events)];
  const template = input.template === undefined ? current.template : input.template.trim() || null;
  const errors = [
    ...findUrlErrors(app, url),
    ...(events.length > 0 ? [] : [blankError('events')]),
    ...(template === null ? [] : templateErrors(template)),
  ];
  if (errors.length > 0) throw invalidFieldsError(errors);
  for (const event of events) {
    const permission = permissionByEvent[event];
    if (staff !== 'system' && !hasPermission({ permissions }, permission))
      throw forbidden('webhooks.missingPermission', { event, permission });
  }
  // Normalised: other forms may contain characters that the database refuses.
  return { url: new URL(url).href, events, template };
}

function templateErrors(template: string): FieldError[] {
  const description = findTemplateProblem(template);
  return description === undefined ? [] : [{ field: 'template', error: 'ERR_INVALID', description }];
}
