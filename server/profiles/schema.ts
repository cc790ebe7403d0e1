import { Type, type Static } from 'typebox';
import { AccountField } from '../accounts/schema.ts';
import { idSchema } from '../platform/id-schema.ts';
import { FeaturedTag } from '../hashtags/schema.ts';

const nullableText = Type.Union([Type.String(), Type.Null()]);
const nullableBoolean = Type.Union([Type.Boolean(), Type.Null()]);

/** A user's own profile, with texts as typed. Images are null where an Account has a placeholder. */
export const Profile = Type.Object(
  {
    id: idSchema<'account'>(),
    display_name: Type.String(),
    note: Type.String({ description: 'As typed' }),
    fields: Type.Array(AccountField, { description: 'As typed' }),
    avatar: nullableText,
    avatar_static: nullableText,
    avatar_description: Type.String(),
    header: nullableText,
    header_static: nullableText,
    header_description: Type.String(),
    locked: Type.Boolean(),
    bot: Type.Boolean(),
    hide_collections: nullableBoolean,
    discoverable: nullableBoolean,
    indexable: Type.Boolean(),
    show_media: Type.Boolean(),
    show_media_replies: Type.Boolean(),
    show_featured: Type.Boolean(),
    attribution_domains: Type.Array(Type.String()),
    formatted_note: Type.String({ description: 'HTML' }),
    formatted_fields: Type.Array(AccountField, { description: 'HTML' }),
    featured_tags: Type.Array(FeaturedTag),
  },
  { title: 'Profile' },
);
export type Profile = Static<typeof Profile>;

/** An alias of the user's own account. */
export const Alias = Type.Object(
  {
    uri: Type.String(),
    acct: Type.Union([Type.String(), Type.Null()], { description: 'Null for an account that is no longer known' }),
  },
  { title: 'Alias' },
);
export type Alias = Static<typeof Alias>;
