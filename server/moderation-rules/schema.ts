import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const strings = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const count = (description: string) => Type.Integer({ description });

/** All conditions that are given must hold. Unknown members are kept, so that they can be refused. */
export const RuleConditions = Type.Object(
  {
    text: Type.Optional(
      Type.Object(
        {
          keywords: Type.Array(Type.String(), { description: 'One of these is in the text' }),
          whole_word: Type.Optional(Type.Boolean({ description: 'Only between word boundaries' })),
        },
        { additionalProperties: true },
      ),
    ),
    links: Type.Optional(
      Type.Object(
        {
          domains: strings('One link leads to one of these domains or a subdomain'),
          at_least: Type.Optional(count('Number of links that are no mentions or hashtags')),
        },
        { additionalProperties: true },
      ),
    ),
    account_younger_than: Type.Optional(count('Hours since this server first knew the account')),
    strangers_at_least: Type.Optional(
      count('Number of mentioned accounts that do not follow the author, without the one that is answered'),
    ),
    media_hashes: strings('An attached file has one of these BlurHashes'),
    domains: strings('The account, or the e-mail address of a sign-up, is of one of these domains or a subdomain'),
    languages: strings('The language of the post, or of the browser of a sign-up, is one of these'),
    rate: Type.Optional(
      Type.Object(
        {
          more_than: count('Number of earlier ones by the same account, or sign-ups from the same IP address'),
          seconds: count('In this period before'),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true, description: 'All given conditions must hold; at least one is needed' },
);
export type RuleConditions = Static<typeof RuleConditions>;

export const ruleSubjects = ['post', 'sign_up', 'follow'] as const;
export const ruleOrigins = ['local', 'remote', 'any'] as const;
export const ruleActions = ['reject', 'hold', 'silence', 'sensitive', 'report'] as const;

export const RuleSubjectInput = Type.Enum([...ruleSubjects], { description: 'What the rule is compared with' });
export const RuleOriginInput = Type.Enum([...ruleOrigins], { description: 'Whether its author is local' });
export const RuleActionInput = Type.Enum([...ruleActions], {
  description: 'reject: it is refused; hold: staff decide whether it is published; silence: the account is limited',
});

export const ModerationRule = entity('ModerationRule', {
  id: idSchema<'moderation-rule'>(),
  title: Type.String(),
  enabled: Type.Boolean(),
  subject: RuleSubjectInput,
  origin: RuleOriginInput,
  conditions: RuleConditions,
  actions: Type.Array(RuleActionInput),
  score: Type.Integer({
    description: 'An action is taken if the scores of all matching rules that have it are at least 100 together',
  }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
export type ModerationRule = Static<typeof ModerationRule>;

export const ModerationRuleMatch = entity('ModerationRuleMatch', {
  id: idSchema<'row'>(),
  rule_id: idSchema<'moderation-rule'>(),
  account_id: Type.Union([idSchema<'account'>(), Type.Null()]),
  target_type: Type.Enum(['status', 'held_post', 'user', 'follow'], {
    description: 'follow: target_id is the followed account',
  }),
  target_id: Type.Union([idSchema(), Type.Null()], { description: 'Null: it was refused, so nothing was stored' }),
  uri: Type.Union([Type.String(), Type.Null()]),
  actions: Type.Array(RuleActionInput, { description: 'The actions that were taken' }),
  excerpt: Type.String({ description: 'Beginning of the text' }),
  effects: Type.Object(
    {
      sensitive: Type.Optional(Type.Boolean({ description: 'It was marked as sensitive, and was not before' })),
      held: Type.Optional(
        Type.Boolean({ description: 'The sign-up or follow waits for approval because of the rule' }),
      ),
      was_silenced: Type.Optional(Type.Boolean({ description: 'Whether the account was limited before' })),
      report_id: Type.Optional(Type.String()),
    },
    { description: 'What undoing the rule restores' },
  ),
  undone_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
});
export type ModerationRuleMatch = Static<typeof ModerationRuleMatch>;

/** A comparison of a rule with past posts. */
export const ModerationRuleTrial = entity('ModerationRuleTrial', {
  id: idSchema<'moderation-rule-trial'>(),
  rule_id: idSchema<'moderation-rule'>(),
  origin: RuleOriginInput,
  conditions: RuleConditions,
  since: Type.String({ format: 'date-time' }),
  examined: Type.Integer({ description: 'Posts that were compared so far; at most about 50,000' }),
  matched: Type.Integer(),
  samples: Type.Array(
    Type.Object({
      status_id: idSchema<'status'>(),
      account_id: idSchema<'account'>(),
      excerpt: Type.String(),
    }),
    { description: 'The first 20 posts that match' },
  ),
  created_at: Type.String({ format: 'date-time' }),
  finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Null: it is running' }),
});
export type ModerationRuleTrial = Static<typeof ModerationRuleTrial>;
