import type { RemoteEmoji } from '../../emojis/index.ts';
import { findEmojisIn, type Emoji } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { contentTypeOf } from '../../platform/storage/storage-keys.ts';
import { isoTimestamp } from './activities.ts';
import { dateOf, isObject, listOf, textOf, typesOf, urlOf, type Json } from './values.ts';

/** Returns a local custom emoji without its context (`noteContext`), as a tag or for its own URI. */
export function emojiDocument(app: App, { id, shortcode, image_key, url, updated_at }: Emoji): Json {
  return {
    id: `${app.config.baseUrl}/emojis/${id}`,
    type: 'Emoji',
    name: `:${shortcode}:`,
    updated: isoTimestamp(updated_at),
    icon: { type: 'Image', mediaType: contentTypeOf(image_key ?? ''), url },
  };
}

/** Returns the tags for the custom emojis in local texts, one list per item. */
export async function emojiTags(app: App, texts: readonly (readonly string[])[]): Promise<Json[][]> {
  const found = await findEmojisIn(
    app,
    texts.map((list) => ({ domain: null, texts: list })),
  );
  return found.map((emojis) => emojis.map((emoji) => emojiDocument(app, emoji)));
}

const tootTerm = /^(?:toot:|https?:\/\/joinmastodon\.org\/ns#)/;

/** Returns the custom emojis in the tags of a remote object. */
export function parseEmojis(object: Json): RemoteEmoji[] {
  return listOf(object['tag']).flatMap((tag) => {
    if (!isObject(tag) || !typesOf(tag).some((type) => type.replace(tootTerm, '') === 'Emoji')) return [];
    const shortcode = textOf(tag, 'name', 2_100)?.replaceAll(':', '');
    const icon = listOf(tag['icon'])[0];
    const url = isObject(icon) ? urlOf(icon['url'] ?? icon['href']) : urlOf(icon);
    if (shortcode === undefined || url === undefined) return [];
    return [{ shortcode, url, updatedAt: dateOf(tag['updated']) }];
  });
}
