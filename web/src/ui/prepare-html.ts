import type { CustomEmoji, Status } from '../api/entities.ts';

/** What the HTML of a post refers to. */
interface Context {
  readonly emojis: readonly CustomEmoji[];
  readonly mentions?: Status['mentions'];
  readonly tags?: Status['tags'];
}

const prepared = new Map<string, string>();
const maxPrepared = 2_000;

/**
 * Prepares HTML that the server has sanitized: mentions and hashtags open in the client, other links in a new tab, code
 * gets the focus, and shortcodes become the images of custom emojis.
 */
export function prepareHtml(html: string, { emojis, mentions = [], tags = [] }: Context): string {
  const key = `${html}\n${emojis.map(({ url }) => url).join(' ')}\n${mentions.map(({ acct }) => acct).join(' ')}`;
  const found = prepared.get(key);
  if (found !== undefined) return found;
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const link of template.content.querySelectorAll('a')) prepareLink(link, mentions, tags);
  // Code scrolls if its lines are long, also by the keyboard.
  for (const code of template.content.querySelectorAll('pre')) code.tabIndex = 0;
  if (emojis.length > 0) insertEmojis(template.content, emojis);
  const result = template.innerHTML;
  if (prepared.size >= maxPrepared) prepared.delete(prepared.keys().next().value ?? '');
  prepared.set(key, result);
  return result;
}

function prepareLink(link: HTMLAnchorElement, mentions: Status['mentions'], tags: Status['tags']): void {
  const mention = mentions.find(({ url }) => url === link.href);
  const name = link.textContent.replace(/^#/, '').toLowerCase();
  const tag = tags.find((one) => one.name.toLowerCase() === name);
  if (mention !== undefined) {
    link.setAttribute('href', `/@${mention.acct}`);
    link.title = `@${mention.acct}`;
    // Text after a mention decides the direction of a paragraph with dir="auto".
    link.dir = 'ltr';
  } else if (tag !== undefined && link.textContent.startsWith('#')) {
    link.setAttribute('href', `/tags/${encodeURIComponent(tag.name)}`);
  } else {
    link.rel = 'nofollow noopener noreferrer';
    link.target = '_blank';
    link.title = link.href;
  }
}

function insertEmojis(root: DocumentFragment, emojis: readonly CustomEmoji[]): void {
  const byShortcode = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.data.includes(':') || text.parentElement?.closest('code, pre') != null) continue;
    const pieces = splitAtEmojis(text.data, byShortcode);
    if (pieces.length > 1)
      text.replaceWith(...pieces.map((piece) => (typeof piece === 'string' ? piece : imageOf(piece))));
  }
}

/** Splits a text at the shortcodes of known emojis. */
export function splitAtEmojis(
  text: string,
  emojis: ReadonlyMap<string, CustomEmoji>,
): readonly (string | CustomEmoji)[] {
  const pieces: (string | CustomEmoji)[] = [];
  let end = 0;
  for (const { 0: match, 1: shortcode = '', index } of text.matchAll(/:(\w{2,}):/g)) {
    const emoji = emojis.get(shortcode);
    if (emoji === undefined) continue;
    if (index > end) pieces.push(text.slice(end, index));
    pieces.push(emoji);
    end = index + match.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

function imageOf(emoji: CustomEmoji): HTMLImageElement {
  const image = document.createElement('img');
  image.className = 'emoji';
  image.src = emoji.static_url;
  image.alt = `:${emoji.shortcode}:`;
  image.title = image.alt;
  image.loading = 'lazy';
  return image;
}
