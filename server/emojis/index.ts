// Custom emojis, local and remote.
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { cleanUpEmojiImages } from './clean-up-emoji-images.ts';

export { addEmoji, listAllEmojis, type NewEmoji, deleteEmoji, setEmojiDisabled } from './change-emojis.ts';
export { type Emoji, findEmojisIn, loadLocalEmojis } from './find-emojis.ts';
export { localEmojisChanged } from './events.ts';
export { buildCachedEmojis, presentEmojisFor, type CachedEmoji } from './present-emojis.ts';
export { routes } from './routes.ts';
export { CustomEmoji } from './schema.ts';
export { isShortcode, replaceShortcodes } from './shortcodes.ts';
export { type RemoteEmoji, storeRemoteEmojis } from './store-remote-emojis.ts';
export type { EmojiId } from './tables.ts';

export const schedules: readonly Schedule[] = [cleanUpEmojiImages];
