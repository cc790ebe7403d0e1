// Custom emojis: the pictures that people write by name, those of this server and those of others.
import type { Schedule } from '../platform/jobs/schedule.ts';
import { sweepPictures } from './sweep-pictures.ts';

export { addEmoji, allEmojis, type NewEmoji, removeEmoji, switchEmoji } from './change-emojis.ts';
export { type Emoji, findEmojisIn, localEmojis } from './find-emojis.ts';
export { localEmojisChanged } from './events.ts';
export { emojisIn } from './present-emojis.ts';
export { routes } from './routes.ts';
export { CustomEmoji } from './schema.ts';
export { isShortcode, replaceShortcodes } from './shortcodes.ts';
export { type RemoteEmoji, storeRemoteEmojis } from './store-remote-emojis.ts';
export type { EmojiId } from './tables.ts';

export const schedules: readonly Schedule[] = [sweepPictures];
