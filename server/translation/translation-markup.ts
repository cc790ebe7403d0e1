import { escapeHtml, htmlToText, sanitizeHtml } from '../text/index.ts';

const shortcode = /(<[^>]*>)|(?<![A-Za-z0-9_]):[a-zA-Z0-9_]{2,}:(?![A-Za-z0-9_])/g;
const protectedShortcode = /<span translate="no">(:[a-zA-Z0-9_]{2,}:)<\/span>/g;
const anchor = /<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs;

/** With more deeply nested links, all markup is removed. */
const maxLinkPasses = 6;

/** Marks the emoji shortcodes of safe HTML, so that the service does not translate them. */
export function protectShortcodes(html: string): string {
  return html.replace(shortcode, (found, tag?: string) => (tag === undefined ? wrapUntranslated(found) : found));
}

const wrapUntranslated = (text: string): string => `<span translate="no">${text}</span>`;

/** Converts plain text to HTML for the service. */
export const plainTextToHtml = (text: string): string => protectShortcodes(escapeHtml(text).replaceAll('\n', '<br>'));

/** Converts translated HTML to plain text. */
export const htmlToPlainText = (html: string): string => htmlToText(html);

/**
 * Sanitizes translated HTML, because a service is not trusted (CVE-2023-42452). Restores the mentions, hashtags and bare
 * URLs of the original. Replaces links that the original lacks by their text.
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
  // Links can be nested: removing one exposes the next and leaves unbalanced tags.
  for (let round = 0; round < maxLinkPasses; round += 1) {
    const next = sanitizeHtml(relink(html));
    if (next === html) return html;
    html = next;
  }
  return sanitizeHtml(escapeHtml(htmlToText(html)));
}

const isMentionOrHashtag = (markup: string): boolean => /^[^>]*class="[^"]*\b(?:mention|hashtag)\b/.test(markup);
