import type { App } from '../platform/app.ts';
import { findEmojisIn, loadLocalEmojis, type Emoji, type EmojiTexts } from './find-emojis.ts';
import type { CustomEmoji, ListedEmoji } from './schema.ts';

const presentEmoji = ({ shortcode, url, staticUrl, visible_in_picker }: Emoji): CustomEmoji => ({
  shortcode,
  url,
  static_url: staticUrl,
  visible_in_picker,
});

/** What stands as `emojis` beside each of these wordings; see `findEmojisIn`. */
export async function presentEmojisIn(app: App, sources: readonly EmojiTexts[]): Promise<CustomEmoji[][]> {
  return (await findEmojisIn(app, sources)).map((emojis) => emojis.map(presentEmoji));
}

/** All emojis of this server that are not switched off, the unlisted ones marked as such (EMO-01). */
export async function listEmojis(app: App): Promise<ListedEmoji[]> {
  const emojis = await loadLocalEmojis(app);
  return Array.from(emojis.values(), (emoji) => ({
    ...presentEmoji(emoji),
    ...(emoji.category !== null && { category: emoji.category, featured: false }),
  }));
}
