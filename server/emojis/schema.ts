import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';

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
