import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** A number is counted up to this. */
export const maxCounted = 1_000;

const count = (what: string) =>
  Type.Union([Type.Integer({ minimum: 0, maximum: maxCounted }), Type.Null()], { description: what });

/** How much waits for staff. Each number is counted up to 1,000, and null if the role of the viewer may not see it. */
export const AdminCounts = entity('Fieldfare::Admin::Counts', {
  reports: count('Open reports'),
  held_posts: count('Posts that a moderation rule holds for review'),
  sign_ups: count('Sign-ups that wait for approval'),
  appeals: count('Appeals that nobody decided'),
  trends: count('Hashtags, links and posts that trend and were not reviewed'),
  failed_jobs: count('Jobs that failed for the last time'),
  failing_hosts: count('Servers to which deliveries fail'),
});
export type AdminCounts = Static<typeof AdminCounts>;
