import { escapeHtml, htmlToText, sanitizeHtml } from '../text/index.ts';

const shortcode = /(<[^>]*>)|(?<![A-Za-z0-9_]):[a-zA-Z0-9_]{2,}:(?![A-Za-z0-9_])/g;
const protectedShortcode = /<span translate="no">(:[a-zA-Z0-9_]{2,}:)<\/span>/g;
const anchor = /<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs;

/** Links that stand within each other deeper than this are given up, with all other markup. */
const maxLinkPasses = 6;

/** Safe HTML as it is sent to a service: names of emoji are marked as nothing to translate. */
export function protectShortcodes(html: string): string {
  return html.replace(shortcode, (found, tag?: string) => (tag === undefined ? wrapUntranslated(found) : found));
}

const wrapUntranslated = (text: string): string => `<span translate="no">${text}</span>`;

/** Plain text as it is sent to a service that translates HTML. */
export const plainTextToHtml = (text: string): string => protectShortcodes(escapeHtml(text).replaceAll('\n', '<br>'));

/** Plain text from what a service made of it. */
export const htmlToPlainText = (html: string): string => htmlToText(html);

/**
 * What a service made of the HTML of a post, made safe again (a service is not trusted: CVE-2023-42452). Its links are
 * those of the original: mentions, hashtags and bare addresses stand as they were; of a link that the original does
 * not have, the words stay.
 */
export function sanitizeTranslation(original: string, translated: string): string {
  const links = new Map<string, string>();
  for (const [whole, href = '', attributes = ''] of sanitizeHtml(original).matchAll(anchor)) {
    if (!links.has(href) || isMentionOrHashtag(attributes)) links.set(href, whole);
  }
  const relink = (html: string): string =>
    html.replace(anchor, (whole, href: string, _attributes: string, inner: string) => {
      const link = links.get(href);
      if (link === undefined) return inner;
      return isMentionOrHashtag(link) || link.includes('class="invisible"') ? link : whole;
    });
  let html = sanitizeHtml(translated).replace(protectedShortcode, '$1');
  // Links may stand within each other: taking one out shows the next, and leaves tags that do not nest.
  for (let round = 0; round < maxLinkPasses; round += 1) {
    const next = sanitizeHtml(relink(html));
    if (next === html) return html;
    html = next;
  }
  return sanitizeHtml(escapeHtml(htmlToText(html)));
}

/** A link whose words are a name. */
const isMentionOrHashtag = (markup: string): boolean => /^[^>]*class="[^"]*\b(?:mention|hashtag)\b/.test(markup);
