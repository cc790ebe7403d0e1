import type { RemoteEmoji } from '../../emojis/index.ts';
import { findEmojisIn, type Emoji } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { contentTypeOf } from '../../platform/storage-keys.ts';
import { isoTimestamp } from './activities.ts';
import { dateOf, isObject, listOf, textOf, typesOf, urlOf, type Json } from './values.ts';

/** A custom emoji of this server, without its context (`noteContext`): as a tag, and at its own address. */
export function emojiDocument(app: App, { id, shortcode, image_key, url, updated_at }: Emoji): Json {
  return {
    id: `${app.config.baseUrl}/emojis/${id}`,
    type: 'Emoji',
    name: `:${shortcode}:`,
    updated: isoTimestamp(updated_at),
    icon: { type: 'Image', mediaType: contentTypeOf(image_key ?? ''), url },
  };
}

/** The tags that each of these texts of this server needs for its emojis. */
export async function emojiTags(app: App, texts: readonly (readonly string[])[]): Promise<Json[][]> {
  const found = await findEmojisIn(
    app,
    texts.map((list) => ({ domain: null, texts: list })),
  );
  return found.map((emojis) => emojis.map((emoji) => emojiDocument(app, emoji)));
}

const tootTerm = /^(?:toot:|https?:\/\/joinmastodon\.org\/ns#)/;

/** The emojis that an object of another server brings along in its tags. */
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
