import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const count = Type.Union([Type.Integer(), Type.Null()], { description: 'Null for those who do not moderate' });

export const PostingInput = Type.Enum(['members', 'moderators']);

/** A group of this server. */
export const Group = entity('Group', {
  id: idSchema<'account'>(),
  account: Account,
  posting: PostingInput,
  moderated: Type.Boolean({ description: 'Posts of members wait for a moderator' }),
  rules: Type.String({ description: 'As typed' }),
  note: Type.String({ description: 'As typed; that of the account is HTML' }),
  moderators: Type.Array(Account),
  role: Type.Union([Type.Enum(['moderator', 'staff']), Type.Null()], {
    description: 'What permits the viewer to moderate it',
  }),
  waiting_posts_count: count,
  follow_requests_count: count,
});
export type Group = Static<typeof Group>;
