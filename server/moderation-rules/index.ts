// Moderation rules: conditions that staff set for posts, sign-ups and follows, and what happens to those that match.
import type { Route } from '../platform/http/routes.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import { cleanUpMatches, deleteAccountMatches } from './matching/clean-up-matches.ts';
import { trialRoutes } from './trials/trial-routes.ts';
import { moderationRuleRoutes } from './routes.ts';

export { moderationRulesChanged, ruleTrialStarted, rulesMatched } from './events.ts';
export { ModerationRule, ruleActions, ruleOrigins, ruleSubjects } from './schema.ts';
export type { ModerationRuleId, ModerationRuleTrialId, RuleMatchRow, TrialSample } from './tables.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [
  inTransaction([accountDeleted], { run: (tx, _app, { accountId }) => deleteAccountMatches(tx, accountId) }),
];

export const schedules: readonly Schedule[] = [cleanUpMatches];

export const routes: readonly Route[] = [...moderationRuleRoutes, ...trialRoutes];
