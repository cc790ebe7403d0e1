import { replaceShortcodes, type CustomEmoji } from '../../emojis/index.ts';
import { html, rawHtml, type Html } from '../../platform/http/html.ts';

/** Replaces shortcodes in safe HTML by images. */
export function renderEmojis(content: Html, emojis: readonly CustomEmoji[]): Html {
  if (emojis.length === 0) return content;
  const byName = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]));
  return rawHtml(
    replaceShortcodes(content.text, (shortcode) => {
      const emoji = byName.get(shortcode);
      return emoji && emojiImage(emoji).text;
    }),
  );
}

function emojiImage({ shortcode, static_url: url }: CustomEmoji): Html {
  const name = `:${shortcode}:`;
  return html`<img class="emoji" src="${url}" alt="${name}" title="${name}" loading="lazy" />`;
}
