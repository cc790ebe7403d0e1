import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';

const emojiProperties = {
  /** Without colons. */
  shortcode: Type.String(),
  url: Type.String(),
  static_url: Type.String(),
  visible_in_picker: Type.Boolean(),
};

/** A custom emoji as it stands beside the text that uses it. */
export const CustomEmoji = entity('CustomEmoji', emojiProperties);
export type CustomEmoji = Static<typeof CustomEmoji>;

/** A custom emoji as the list of all shows it; where it has a category, `featured` says that it stands for it. */
export const ListedEmoji = entity('ListedEmoji', {
  ...emojiProperties,
  category: Type.Optional(Type.String()),
  featured: Type.Optional(Type.Boolean()),
});
export type ListedEmoji = Static<typeof ListedEmoji>;
