import { Type } from 'typebox';

/**
 * What webhooks of staff can be notified of, as in Mastodon (reference/entities.tsv: Admin::WebhookEvent), and
 * `held_post.created`, which is our own.
 */
export const staffEvents = [
  'account.approved',
  'account.created',
  'account.updated',
  'held_post.created',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const;
export type StaffEvent = (typeof staffEvents)[number];

export const StaffEvent = Type.Enum([...staffEvents]);
