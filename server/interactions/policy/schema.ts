import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** The groups of a policy, with the names of GoToSocial. */
const values = ['public', 'followers', 'following', 'mutuals', 'mentioned', 'author', 'me'] as const;

const group = Type.Enum([...values]);
const groupsInput = Type.Optional(Type.Array(group));

const RulesInput = Type.Object({
  automatic_approval: groupsInput,
  manual_approval: groupsInput,
  always: Type.Optional(Type.Array(group, { description: 'The former name of `automatic_approval`' })),
  with_approval: Type.Optional(Type.Array(group, { description: 'The former name of `manual_approval`' })),
});
export type RulesInput = Static<typeof RulesInput>;

/** Who may favourite, reply to and reblog a post. Missing rules permit everyone. */
export const InteractionPolicyInput = Type.Object({
  can_favourite: Type.Optional(RulesInput),
  can_reply: Type.Optional(RulesInput),
  can_reblog: Type.Optional(RulesInput),
});
export type InteractionPolicyInput = Static<typeof InteractionPolicyInput>;

const Rules = entity('InteractionPolicyRules', {
  /** Groups that are permitted at once. */
  automatic_approval: Type.Array(group),
  /** Groups that need the approval of the author. */
  manual_approval: Type.Array(group),
  /** The former names of these two, which apps of GoToSocial read. */
  always: Type.Array(group),
  with_approval: Type.Array(group),
});
export type Rules = Static<typeof Rules>;

/** Who may favourite, reply to and reblog a post. */
export const InteractionPolicyEntity = entity('InteractionPolicy', {
  can_favourite: Rules,
  can_reply: Rules,
  can_reblog: Rules,
});
export type InteractionPolicyEntity = Static<typeof InteractionPolicyEntity>;

/** The policies of new posts, by their visibility. */
export const DefaultPolicies = entity('DefaultInteractionPolicies', {
  public: InteractionPolicyEntity,
  unlisted: InteractionPolicyEntity,
  private: InteractionPolicyEntity,
  direct: InteractionPolicyEntity,
});
export type DefaultPolicies = Static<typeof DefaultPolicies>;
