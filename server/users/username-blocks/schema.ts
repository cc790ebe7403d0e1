import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** How a block compares usernames, in the words of Mastodon's form. */
export const UsernameComparison = Type.Enum(['equals', 'contains'], {
  description: 'Whether names are blocked that equal this one, or also those that contain it',
});

export const AdminUsernameBlock = entity('Admin::UsernameBlock', {
  id: idSchema<'username-block'>(),
  username: Type.String({ description: 'In lower case. Digits that look like letters count as these' }),
  comparison: UsernameComparison,
  allow_with_approval: Type.Boolean({ description: 'Sign-ups wait for approval instead of being refused' }),
  created_at: Type.String({ format: 'date-time' }),
});
export type AdminUsernameBlock = Static<typeof AdminUsernameBlock>;
