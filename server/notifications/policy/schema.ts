import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

export const PolicyAction = Type.Union([Type.Literal('accept'), Type.Literal('filter'), Type.Literal('drop')]);

const summary = Type.Object({
  /** At most 100. */
  pending_requests_count: Type.Integer(),
  /** The notifications of the counted requests. */
  pending_notifications_count: Type.Integer(),
});

/** What happens to notifications from strangers. */
export const NotificationPolicy = entity('NotificationPolicy', {
  for_not_following: PolicyAction,
  for_not_followers: PolicyAction,
  for_new_accounts: PolicyAction,
  for_private_mentions: PolicyAction,
  for_limited_accounts: PolicyAction,
  for_bots: PolicyAction,
  summary,
});
export type NotificationPolicy = Static<typeof NotificationPolicy>;

/** The policy in its first form: true for anything but `accept`. */
export const V1NotificationPolicy = entity('V1NotificationPolicy', {
  filter_not_following: Type.Boolean(),
  filter_not_followers: Type.Boolean(),
  filter_new_accounts: Type.Boolean(),
  filter_private_mentions: Type.Boolean(),
  filter_bots: Type.Boolean(),
  summary,
});
export type V1NotificationPolicy = Static<typeof V1NotificationPolicy>;
