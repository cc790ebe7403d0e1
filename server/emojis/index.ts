// Custom emojis, local and remote.
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Route } from '../platform/http/routes.ts';
import { emojiAdminRoutes } from './manage/admin-routes.ts';
import { cleanUpEmojiImages } from './clean-up-emoji-images.ts';
import { copyRemoteEmoji } from './manage/copy-emoji.ts';
import { routes as publicRoutes } from './routes.ts';

export { normalizeEmoji } from './emoji-name.ts';
export { type Emoji, findEmojisIn, loadLocalEmojis } from './find-emojis.ts';
export { emojisChanged } from './events.ts';
export { buildCachedEmojis, presentEmojisFor, type CachedEmoji } from './present-emojis.ts';
export { CustomEmoji } from './schema.ts';
export { isShortcode, replaceShortcodes } from './shortcodes.ts';
export { type RemoteEmoji, storeRemoteEmojis } from './store-remote-emojis.ts';
export type { EmojiId } from './tables.ts';
export { caches } from './caches.ts';

export const routes: readonly Route[] = [...publicRoutes, ...emojiAdminRoutes];

export const subscriptions: readonly Subscription[] = [copyRemoteEmoji.subscription];

export const schedules: readonly Schedule[] = [cleanUpEmojiImages];
