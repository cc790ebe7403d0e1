import { Type } from 'typebox';

/** What webhooks of staff can be notified of, as in Mastodon (reference/entities.tsv: Admin::WebhookEvent). */
export const staffEvents = [
  'account.approved',
  'account.created',
  'account.updated',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const;
export type StaffEvent = (typeof staffEvents)[number];

export const StaffEvent = Type.Enum([...staffEvents]);
