import { Type } from 'typebox';

/**
 * The events of staff webhooks: those of Mastodon (reference/entities.tsv: Admin::WebhookEvent), and our own
 * `held_post.created`.
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
