import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import type sanitize from 'sanitize-html';
import { escapeHtml } from './escape-html.ts';
import { postOptions, reduceTag, sanitizeWith, simplifyMarkup, voidElements } from './sanitize-html.ts';

/** An image of an article. */
export interface ArticleImage {
  readonly url: string;
  /** May be empty. */
  readonly description: string;
}

export interface SanitizedArticle {
  /** Safe HTML. */
  readonly html: string;
  /** In order, without repetition. */
  readonly images: readonly ArticleImage[];
}

const maxImages = 16;
const maxCellSpan = 100;
const maxAnchorLength = 64;

/** Elements whose files become links. */
const fileElements: ReadonlySet<string> = new Set(['img', 'iframe', 'embed', 'video', 'audio', 'source']);

/**
 * Sanitizes the HTML of an article, with the blocks that blogs use: headings, lists, tables, figures, footnotes. Like
 * `sanitizeHtml`, the result runs and loads nothing. Images, frames and files are links, those of images with the class
 * `u-photo`. `url`: its page, for relative addresses. Links within the article lead to ids that no other article has.
 */
export function sanitizeArticle(html: string, url: string): SanitizedArticle {
  const prefix = `article-${createHash('sha256').update(url).digest('hex').slice(0, 12)}-`;
  const images = new Map<string, ArticleImage>();
  const anchors = new Set<string>();
  const clean = sanitizeWith(html, {
    options: articleOptions({ url, prefix, anchors }),
    prepare: (markup) => linkFiles(simplifyMarkup(markup, false), { url, prefix, images, anchors }),
    beforeRepeating(markup) {
      // Elements that were removed have no ids any more.
      anchors.clear();
      for (const [, id = ''] of markup.matchAll(/ id="([^"]*)"/g)) anchors.add(id.slice(prefix.length));
    },
  });
  return { html: clean, images: [...images.values()] };
}

interface Links {
  readonly url: string;
  /** Of the ids of the article. */
  readonly prefix: string;
  /** The ids that links may lead to, without prefix. */
  readonly anchors: ReadonlySet<string>;
}

const articleOptions = (links: Links): sanitize.IOptions => ({
  ...postOptions,
  allowedTags: [
    ...(postOptions.allowedTags || []),
    ...'h2 h3 h4 h5 h6 hr div section figure figcaption table caption thead tbody tfoot tr th td'.split(' '),
    ...'dl dt dd sup sub small mark ins kbd cite q'.split(' '),
  ],
  allowedAttributes: {
    ...postOptions.allowedAttributes,
    '*': ['lang', 'id'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  transformTags: { '*': (tagName, attributes) => reduceArticleTag(tagName, attributes, links) },
});

function reduceArticleTag(tagName: string, attributes: sanitize.Attributes, links: Links): sanitize.Tag {
  const href = tagName === 'a' ? resolveLink(attributes['href'] ?? '', links) : undefined;
  const tag = reduceTag(tagName === 'h1' ? 'h2' : tagName, { ...attributes, ...(href !== undefined && { href }) });
  const id = attributes['id'] ?? (tagName === 'a' ? attributes['name'] : undefined);
  const attribs: sanitize.Attributes = {
    ...(href?.startsWith('#') === true ? { href } : {}),
    ...tag.attribs,
    ...(tagName === 'th' || tagName === 'td' ? cellAttributes(attributes) : {}),
    ...(id === undefined || anchorOf(id) === '' ? {} : { id: withPrefix(id, links.prefix) }),
  };
  return { tagName: href?.startsWith('#') === true ? 'a' : tag.tagName, attribs };
}

function cellAttributes(attributes: sanitize.Attributes): sanitize.Attributes {
  const result: sanitize.Attributes = {};
  for (const name of ['colspan', 'rowspan']) {
    const span = Number(attributes[name] ?? '');
    if (Number.isInteger(span) && span > 1 && span <= maxCellSpan) result[name] = String(span);
  }
  const scope = attributes['scope'] ?? '';
  if (scope === 'row' || scope === 'col') result['scope'] = scope;
  return result;
}

/** Returns the absolute address of a link, or `#` and the id that it leads to within the article. */
function resolveLink(href: string, { url, prefix, anchors }: Links): string {
  const link = href.trim();
  if (link === '' || !URL.canParse(link, url)) return '';
  const target = new URL(link, url);
  const page = new URL(url);
  page.hash = '';
  const { hash } = target;
  target.hash = '';
  if (hash.length > 1 && (link.startsWith('#') || target.href === page.href)) {
    const id = withPrefix(hash.slice(1), prefix);
    const anchor = id.slice(prefix.length);
    if (anchors.has(anchor)) return `#${id}`;
    if (hash.startsWith(`#${prefix}`)) return `${page.href}#${anchor}`;
  }
  // As it is written, if it has a scheme: parsing would repair hostile ones.
  return /^[a-z][a-z\d+.-]*:/i.test(link) ? link : new URL(link, url).href;
}

/** Idempotent, because HTML is sanitized until it no longer changes. */
const withPrefix = (id: string, prefix: string): string =>
  id.startsWith(prefix) ? `${prefix}${anchorOf(id.slice(prefix.length))}` : `${prefix}${anchorOf(id)}`;

/** Returns an id in the characters that are safe in selectors, addresses and HTML. */
function anchorOf(id: string): string {
  return decode(id.trim().slice(0, 4 * maxAnchorLength))
    .replaceAll(/[^\w-]+/g, '-')
    .slice(0, maxAnchorLength);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface FoundParts {
  readonly url: string;
  readonly prefix: string;
  readonly images: Map<string, ArticleImage>;
  readonly anchors: Set<string>;
}

/** Replaces images, frames and files by links, and collects the images and the ids. */
function linkFiles(html: string, { url, prefix, images, anchors }: FoundParts): string {
  let result = '';
  let isInLink = false;
  // The start tag of a link without content so far. It is left out if an image, which is a link itself, is all of it.
  let opened = '';
  const add = (html: string): void => {
    result += opened + html;
    opened = '';
  };
  const link = (element: string, attributes: Readonly<Record<string, string>>): string => {
    const source = attributes['src'] ?? '';
    if (!URL.canParse(source, url)) return '';
    const { href, protocol, pathname } = new URL(source, url);
    if (protocol !== 'https:' && protocol !== 'http:') return '';
    const alt = (attributes['alt'] ?? '').trim();
    const text = escapeHtml(alt || (attributes['title'] ?? '').trim() || pathname.split('/').at(-1) || href);
    const photo = element === 'img' && (images.has(href) || images.size < maxImages);
    if (photo && !images.has(href)) images.set(href, { url: href, description: alt });
    // Links do not nest: the one around an image ends before it.
    const end = isInLink && opened === '' ? '</a>' : '';
    isInLink = false;
    opened = '';
    return `${end}<a ${photo ? 'class="u-photo" ' : ''}href="${escapeHtml(href)}">${text}</a>`;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const id = attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined);
        if (id !== undefined) anchors.add(withPrefix(id, prefix).slice(prefix.length));
        if (fileElements.has(name)) {
          if (isEmoji(name, attributes)) add(escapeHtml(attributes['alt'] ?? ''));
          else if (!isPixel(attributes)) result += link(name, attributes);
          return;
        }
        const members = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
        const tag = `<${name}${members.join('')}>`;
        if (name === 'a') {
          isInLink = true;
          opened = tag;
        } else add(tag);
      },
      ontext(text) {
        if (text.trim() === '') result += text;
        else add(escapeHtml(text));
      },
      onclosetag(name) {
        if (fileElements.has(name) || voidElements.has(name)) return;
        if (name === 'a' && !isInLink) return;
        if (name === 'a') isInLink = false;
        add(`</${name}>`);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return result;
}

/** Blogs show emojis as images that have the character as their text. */
const isEmoji = (name: string, { class: classes = '', alt = '' }: Readonly<Record<string, string>>): boolean =>
  name === 'img' && /\b(?:emoji|wp-smiley)\b/.test(classes) && alt.length <= 32;

/** Images of one pixel count readers. */
const isPixel = ({ width, height }: Readonly<Record<string, string>>): boolean =>
  [width, height].some((side) => side === '0' || side === '1');
