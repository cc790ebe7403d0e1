import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { InteractionPolicyInput } from '../../interactions/policy/schema.ts';
import { idSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import { PollInput } from '../../polls/schema.ts';
import { QuotePolicyInput } from '../../quotes/policy/schema.ts';
import { ContentType, LocalOnlyInput, Visibility } from '../schema.ts';

/** Posts that one request may publish. */
export const maxThreadPosts = 20;

/** A post of a thread or draft, as it is stored and returned. */
export const ThreadPost = entity('ThreadPost', {
  text: Type.Optional(Type.String()),
  content_type: Type.Optional(ContentType),
  spoiler_text: Type.Optional(Type.String()),
  visibility: Type.Optional(Visibility),
  local_only: Type.Optional(LocalOnlyInput),
  sensitive: Type.Optional(Type.Boolean()),
  language: Type.Optional(Type.String()),
  media_ids: Type.Optional(Type.Array(uncheckedIdSchema())),
  poll: Type.Optional(PollInput),
  quoted_status_id: Type.Optional(uncheckedIdSchema({ description: 'The status to quote' })),
  quote_approval_policy: Type.Optional(QuotePolicyInput),
  interaction_policy: Type.Optional(InteractionPolicyInput),
  allowed_mentions: Type.Optional(Type.Array(idSchema<'account'>())),
});
export type ThreadPost = Static<typeof ThreadPost>;

const { text: _text, ...otherParameters } = ThreadPost.properties;

/** A post of a thread or draft in a request, with the parameters of a new status. */
const ThreadPostInput = Type.Object({
  status: Type.Optional(Type.String()),
  text: Type.Optional(
    Type.String({ description: 'Used without `status`, so that apps can send a draft as they read it' }),
  ),
  ...otherParameters,
});
export type ThreadPostInput = Static<typeof ThreadPostInput>;

/** A parameter with posts, whose errors name the post. */
export const postsInput = (description: string) => Type.Array(ThreadPostInput, { description, 'x-indexed': true });
