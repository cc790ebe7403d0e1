import { cleanText } from '../clean-text.ts';
import { escapeHtml } from '../escape-html.ts';
import { parseText, type TextToken } from './parse-text.ts';
import { normalizeTag } from '../tag-names.ts';

/** The account that a handle in a text refers to. */
export interface MentionLink {
  /** The profile page. */
  readonly url: string;
  readonly username: string;
  /** `user`, or `user@domain` of a remote account. */
  readonly acct: string;
}

export interface FormatOptions {
  /** By the handle as written, in lower case, without the leading `@`. Other handles stay text. */
  readonly mentions: ReadonlyMap<string, MentionLink>;
  /** Returns the URL of a hashtag's page by its normalised name. */
  readonly hashtagUrl: (name: string) => string;
  /** One line without paragraphs, such as the value of a profile field. */
  readonly singleLine?: boolean;
  /** Adds `rel="me"` to each link, as for profile fields. */
  readonly relMe?: boolean;
}

/** Characters of a link that stay visible after its scheme. */
const maxShownUrlLength = 30;

/**
 * Renders text as safe HTML with the markup that client apps know from Mastodon: paragraphs and line breaks, links
 * shortened by invisible spans, mentions as h-cards, hashtags. Returns '' for text without visible characters.
 */
export function formatText(text: string, options: FormatOptions): string {
  const tokens = parseText(cleanText(text).trim());
  if (tokens.length === 0) return '';
  const ambiguous = ambiguousUsernames(tokens, options.mentions);
  const html = tokens.map((piece) => formatToken(piece, options, ambiguous)).join('');
  if (options.singleLine === true) return html.replaceAll('\n', ' ');
  return html
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

/** Renders one piece of a text. `ambiguous`: see `ambiguousNames`. */
export function formatToken(token: TextToken, options: FormatOptions, ambiguous: ReadonlySet<string>): string {
  switch (token.type) {
    case 'text':
      return escapeHtml(token.raw);
    case 'url':
      return formatUrl(token.href, options.relMe === true);
    case 'mention': {
      const link = options.mentions.get(token.raw.slice(1).toLowerCase());
      if (link === undefined) return escapeHtml(token.raw);
      const shown = ambiguous.has(link.username.toLowerCase()) ? link.acct : link.username;
      return `<span class="h-card" translate="no"><a href="${escapeHtml(link.url)}" class="u-url mention">@<span>${escapeHtml(shown)}</span></a></span>`;
    }
    case 'hashtag': {
      const url = options.hashtagUrl(normalizeTag(token.name));
      return `<a href="${escapeHtml(url)}" class="mention hashtag" rel="tag">#<span>${escapeHtml(token.name)}</span></a>`;
    }
  }
}

/** Renders a link in the text of a post, shortened for display. */
export const formatLink = (href: string): string => formatUrl(href, false);

function formatUrl(href: string, relMe: boolean): string {
  const prefix = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i.exec(href)?.[0] ?? '';
  const rest = Array.from(href.slice(prefix.length));
  const shown = rest.slice(0, maxShownUrlLength).join('');
  const hidden = rest.slice(maxShownUrlLength).join('');
  const rel = relMe ? 'me nofollow noopener' : 'nofollow noopener';
  return (
    `<a href="${escapeHtml(href)}" target="_blank" rel="${rel}" translate="no">` +
    `<span class="invisible">${escapeHtml(prefix)}</span>` +
    `<span class="${hidden === '' ? '' : 'ellipsis'}">${escapeHtml(shown)}</span>` +
    `<span class="invisible">${escapeHtml(hidden)}</span></a>`
  );
}

/**
 * Returns the usernames, in lower case, that two different accounts in one text share: those are shown with their
 * domain.
 */
export function ambiguousUsernames(
  tokens: readonly TextToken[],
  mentions: ReadonlyMap<string, MentionLink>,
): Set<string> {
  const accts = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const piece of tokens) {
    if (piece.type !== 'mention') continue;
    const link = mentions.get(piece.raw.slice(1).toLowerCase());
    if (link === undefined) continue;
    const name = link.username.toLowerCase();
    const existing = accts.get(name);
    if (existing !== undefined && existing !== link.acct) ambiguous.add(name);
    accts.set(name, link.acct);
  }
  return ambiguous;
}
