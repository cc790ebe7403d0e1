import { Type, type Static, type TSchema } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const emojiProperties = {
  /** Without colons. */
  shortcode: Type.String(),
  url: Type.String(),
  static_url: Type.String(),
  visible_in_picker: Type.Boolean(),
};

/** A custom emoji of a text. */
export const CustomEmoji = entity('CustomEmoji', emojiProperties);
export type CustomEmoji = Static<typeof CustomEmoji>;

/** A custom emoji in the list of all. `featured`: it represents its category. */
export const ListedEmoji = entity('ListedEmoji', {
  ...emojiProperties,
  category: Type.Optional(Type.String()),
  featured: Type.Optional(Type.Boolean()),
});
export type ListedEmoji = Static<typeof ListedEmoji>;

const instant = Type.String({ format: 'date-time' });
const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** A custom emoji as staff manage it. */
export const AdminEmoji = entity('Fieldfare::Admin::CustomEmoji', {
  id: idSchema<'emoji'>(),
  ...emojiProperties,
  domain: orNull(Type.String(), 'null: local'),
  category: orNull(Type.String()),
  disabled: Type.Boolean({ description: 'Texts show its shortcode' }),
  local_id: orNull(idSchema<'emoji'>(), 'The local emoji with the same shortcode'),
  created_at: instant,
  updated_at: instant,
});
export type AdminEmoji = Static<typeof AdminEmoji>;

/** The result of a change of many emojis. */
export const AdminEmojiBatch = entity('Fieldfare::Admin::CustomEmojiBatch', {
  emojis: Type.Array(AdminEmoji, { description: 'The given emojis that still exist, in the given order' }),
  errors: Type.Array(
    Type.Object({
      id: idSchema<'emoji'>(),
      error: Type.String({ description: 'Why it was not changed, in the language of the account' }),
    }),
    { description: 'The emojis that were not changed' },
  ),
});
export type AdminEmojiBatch = Static<typeof AdminEmojiBatch>;
