import { anonymousMediaViewer, urlFor, type MediaUrl, type MediaViewer } from '../media/proxy/index.ts';
import type { App } from '../platform/app.ts';
import { findEmojisIn, loadLocalEmojis, type Emoji, type EmojiTexts } from './find-emojis.ts';
import type { CustomEmoji, ListedEmoji } from './schema.ts';

/** A custom emoji as cached for every viewer: `presentEmojisFor` or a `JsonTemplate` completes its addresses. */
export interface CachedEmoji extends Omit<CustomEmoji, 'url' | 'static_url'> {
  readonly url: MediaUrl;
  readonly static_url: MediaUrl;
}

const toCachedEmoji = ({ shortcode, url, staticUrl, visible_in_picker }: Emoji): CachedEmoji => ({
  shortcode,
  url,
  static_url: staticUrl,
  visible_in_picker,
});

/** Returns the `emojis` of each of these texts, as cached; see `findEmojisIn`. */
export async function buildCachedEmojis(app: App, sources: readonly EmojiTexts[]): Promise<CachedEmoji[][]> {
  return (await findEmojisIn(app, sources)).map((emojis) => emojis.map(toCachedEmoji));
}

/** Returns emojis as a viewer sees them. */
export const presentEmojisFor = (viewer: MediaViewer, emojis: readonly CachedEmoji[]): CustomEmoji[] =>
  emojis.map((emoji) => ({
    ...emoji,
    url: urlFor(emoji.url, viewer),
    static_url: urlFor(emoji.static_url, viewer),
  }));

/** Lists the enabled local emojis (EMO-01). */
export async function listEmojis(app: App): Promise<ListedEmoji[]> {
  const emojis = await loadLocalEmojis(app);
  return Array.from(emojis.values(), (emoji) => ({
    shortcode: emoji.shortcode,
    url: urlFor(emoji.url, anonymousMediaViewer),
    static_url: urlFor(emoji.staticUrl, anonymousMediaViewer),
    visible_in_picker: emoji.visible_in_picker,
    ...(emoji.category !== null && { category: emoji.category, featured: false }),
  }));
}
