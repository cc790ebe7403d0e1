import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/ids.ts';

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
    domains: strings('The account is of one of these domains or a subdomain'),
    languages: strings('The language of the post is one of these'),
    rate: Type.Optional(
      Type.Object(
        {
          more_than: count('Number of earlier ones by the same account'),
          seconds: count('In this period before'),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true, description: 'All given conditions must hold; at least one is needed' },
);
export type RuleConditions = Static<typeof RuleConditions>;

export const ruleSubjects = ['post'] as const;
export const ruleOrigins = ['local', 'remote', 'any'] as const;
export const ruleActions = ['reject'] as const;

export const RuleSubjectInput = Type.Enum([...ruleSubjects], { description: 'What the rule is compared with' });
export const RuleOriginInput = Type.Enum([...ruleOrigins], { description: 'Whether its author is local' });
export const RuleActionInput = Type.Enum([...ruleActions], { description: 'reject: it is refused' });

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
  target_type: Type.Enum(['status']),
  target_id: Type.Union([idSchema(), Type.Null()], { description: 'Null: it was refused, so nothing was stored' }),
  uri: Type.Union([Type.String(), Type.Null()]),
  actions: Type.Array(RuleActionInput, { description: 'The actions that were taken' }),
  excerpt: Type.String({ description: 'Beginning of the text' }),
  undone_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
});
export type ModerationRuleMatch = Static<typeof ModerationRuleMatch>;
