import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** Which media posts show at once. */
export const ExpandMedia = Type.Enum(['default', 'show_all', 'hide_all'], {
  description: 'default: sensitive media stay hidden until they are opened',
});

/** Preferences of the user that apps may read and change. */
export const UserPreferences = entity('UserPreferences', {
  locale: Type.String({ description: 'Language of errors, mails, pages and push messages' }),
  /** Languages to choose from for `locale`. */
  available_locales: Type.Array(Type.String()),
  expand_media: ExpandMedia,
  expand_spoilers: Type.Boolean(),
  autoplay_gifs: Type.Boolean(),
  show_application: Type.Boolean({ description: 'Whether posts name the app that created them' }),
});
export type UserPreferences = Static<typeof UserPreferences>;
