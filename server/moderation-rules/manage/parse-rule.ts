import { invalidField } from '../../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../../text/index.ts';
import type { ModerationRule } from '../schema.ts';
import type { ModerationRuleRow, RuleAction, RuleOrigin, RuleSubjectKind } from '../tables.ts';
import { parseConditions } from './parse-conditions.ts';

/** Properties of a rule. Absent ones keep their value. */
export interface ModerationRuleInput {
  readonly title?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly subject?: RuleSubjectKind | undefined;
  readonly origin?: RuleOrigin | undefined;
  /** As in `RuleConditions`, not checked yet. */
  readonly conditions?: unknown;
  readonly actions?: readonly RuleAction[] | undefined;
  readonly score?: number | undefined;
}

/** The properties of a rule that staff set. */
export type RuleValues = Pick<
  ModerationRule,
  'title' | 'enabled' | 'subject' | 'origin' | 'conditions' | 'actions' | 'score'
>;

const maxTitleLength = 200;
/** The sum at which an action is taken. */
export const scoreLimit = 100;

const defaults: RuleValues = {
  title: '',
  // Staff first try a rule on past posts.
  enabled: false,
  subject: 'post',
  origin: 'local',
  conditions: {},
  actions: [],
  score: scoreLimit,
};

/** Returns the properties of a rule after a change, or of a new rule. Throws 422 if one is invalid or missing. */
export function parseRule(input: ModerationRuleInput, current: ModerationRuleRow | undefined): RuleValues {
  const before = current ?? defaults;
  const subject = input.subject ?? before.subject;
  const conditions = parseConditions(input.conditions ?? before.conditions, subject);
  return {
    title: parseTitle(input.title ?? before.title),
    enabled: input.enabled ?? before.enabled,
    subject,
    origin: input.origin ?? before.origin,
    conditions,
    actions: parseActions(input.actions ?? before.actions, subject),
    score: parseScore(input.score ?? before.score),
  };
}

function parseTitle(text: string): string {
  const title = cleanText(text).trim();
  if (title === '') throw invalidField('title', 'problems.blank');
  if (exceedsLimit(title, maxTitleLength)) throw invalidField('title', 'problems.tooLong', { max: maxTitleLength });
  return title;
}

function parseActions(actions: readonly RuleAction[], subject: RuleSubjectKind): RuleAction[] {
  if (actions.length === 0) throw invalidField('actions', 'problems.needsItem');
  if (subject !== 'post' && actions.includes('sensitive'))
    throw invalidField('actions', 'moderationRules.onlyForPosts', { name: 'sensitive' });
  return [...new Set(actions)];
}

function parseScore(score: number): number {
  if (!Number.isInteger(score) || score < 1 || score > scoreLimit)
    throw invalidField('score', 'problems.notBetween', { min: 1, max: scoreLimit });
  return score;
}
