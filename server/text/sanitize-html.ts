import { createRequire } from 'node:module';
import { Parser } from 'htmlparser2';
import type sanitize from 'sanitize-html';
import { limitClusters } from './limit-clusters.ts';
import { limitMarkup } from './limit-markup.ts';
import { truncateHtml } from './truncate-html.ts';
import { escapeHtml } from './escape-html.ts';
import { maxHtmlBytes } from './text-limits.ts';

const require = createRequire(import.meta.url);
let loaded: typeof sanitize | undefined;

/** Loaded with the first remote text, because it takes 3 MB. */
const loadSanitizer = (): typeof sanitize => (loaded ??= require('sanitize-html'));

/** Tags nested deeper are removed, their text stays. */
const maxDepth = 24;
/** Allowed schemes of links (federation.tsv, HTML sanitising). */
const allowedSchemes = ['http', 'https', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'gopher', 'xmpp', 'magnet', 'gemini'];
const allowedClasses = new Set(['mention', 'hashtag', 'ellipsis', 'invisible', 'quote-inline']);
const microformat = /^(?:h|p|u|dt|e)-[a-z0-9-]+$/i;

/** Options of the sanitizer for the elements of posts. */
export const postOptions: sanitize.IOptions = {
  allowedTags: 'p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp'.split(' '),
  allowedAttributes: {
    '*': ['lang'],
    a: ['href', 'rel', 'class', 'translate', 'target'],
    span: ['class', 'translate'],
    p: ['class'],
    ol: ['start', 'reversed'],
    li: ['value'],
  },
  allowedSchemes,
  allowProtocolRelative: false,
  nestingLimit: maxDepth,
  // Their content is not text for people; browsers would parse the raw-text elements differently.
  nonTextTags:
    'script style textarea option template noscript iframe object svg math title xmp noembed noframes plaintext audio video'.split(
      ' ',
    ),
  // Only one rule: a rule for all tags and one for a name would both run, the former last.
  transformTags: { '*': (tagName, attributes) => reduceTag(tagName, attributes) },
};

/**
 * Sanitizes foreign HTML to the elements of posts (federation.tsv, "HTML sanitising"): the result runs and loads
 * nothing, has no links outside the allowed schemes, and every link has `nofollow noopener`. Idempotent. Truncates text
 * with thousands of tags, or with more than `maxBytes` of UTF-8; see also `boundClusters`.
 */
export function sanitizeHtml(html: string, maxBytes = maxHtmlBytes): string {
  return sanitizeWith(html, { options: postOptions, prepare: (markup) => simplifyMarkup(markup, true), maxBytes });
}

interface Sanitizing {
  readonly options: sanitize.IOptions;
  /** Rewrites elements that `options` do not permit. Its result need not be safe. */
  readonly prepare: (html: string) => string;
  /** Called with safe HTML before it is sanitized again. */
  readonly beforeRepeating?: (html: string) => void;
  /** Bytes of UTF-8. */
  readonly maxBytes?: number;
}

/** Sanitizes foreign HTML as `options` say, within the limits of `sanitizeHtml`. */
export function sanitizeWith(
  html: string,
  { options, prepare, beforeRepeating, maxBytes = maxHtmlBytes }: Sanitizing,
): string {
  const sanitize = loadSanitizer();
  const wellFormed = html.toWellFormed().replaceAll('\0', '');
  const first = limitClusters(sanitize(prepare(limitMarkup(wellFormed)), options)).trim();
  let clean = truncateHtml(first, maxBytes);
  // A removed tag may have separated two that cannot nest; parsing again ends the outer one at the inner one.
  for (let round = 0; round < 3; round += 1) {
    beforeRepeating?.(clean);
    const again = sanitize(clean, options).trim();
    if (again === clean) break;
    clean = again;
  }
  return truncateHtml(clean, maxBytes);
}

/** Returns a tag of a post with its safe attributes. */
export function reduceTag(tagName: string, attributes: sanitize.Attributes): sanitize.Tag {
  const attribs = commonAttributes(attributes);
  if (tagName === 'ol') return { tagName, attribs: { ...attribs, ...listAttributes(attributes) } };
  if (tagName === 'li') return { tagName, attribs: { ...attribs, ...integerAttribute('value', attributes) } };
  if (tagName !== 'a') return { tagName, attribs };
  const href = parseHref(attributes['href'] ?? '');
  if (href === undefined) return { tagName: 'span', attribs };
  const tag = attributes['rel']?.split(/\s+/).includes('tag') === true ? 'tag ' : '';
  return { tagName, attribs: { href, ...attribs, rel: `${tag}nofollow noopener`, target: '_blank' } };
}

function commonAttributes(attributes: sanitize.Attributes): sanitize.Attributes {
  const result: sanitize.Attributes = {};
  const tokens = (attributes['class'] ?? '')
    .split(/\s+/)
    .filter((token) => allowedClasses.has(token) || microformat.test(token));
  if (tokens.length > 0) result['class'] = tokens.join(' ');
  if (attributes['translate'] === 'no') result['translate'] = 'no';
  const language = attributes['lang'] ?? '';
  if (/^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i.test(language)) result['lang'] = language;
  return result;
}

function listAttributes(attributes: sanitize.Attributes): sanitize.Attributes {
  return { ...integerAttribute('start', attributes), ...('reversed' in attributes ? { reversed: '' } : {}) };
}

function integerAttribute(name: string, attributes: sanitize.Attributes): sanitize.Attributes {
  const value = attributes[name] ?? '';
  return /^-?\d{1,9}$/.test(value) ? { [name]: value } : {};
}

/** Returns the URL of a link if it is valid and has an allowed scheme; relative URLs have no meaning here. */
function parseHref(value: string): string | undefined {
  const href = value.trim();
  const scheme = /^([a-z]+):/i.exec(href)?.[1]?.toLowerCase();
  if (scheme === undefined || !allowedSchemes.includes(scheme) || /[\p{Cc} ]/u.test(href)) return undefined;
  return URL.canParse(href) ? href : undefined;
}

/** Elements without an end tag. Parsers read `</br>` as a second line break. */
export const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Rewrites elements that posts cannot contain: formulas become their source text, headings optionally bold paragraphs. */
export function simplifyMarkup(html: string, boldHeadings: boolean): string {
  if (!/<(?:h[1-6]|math)\b/i.test(html)) return html;
  const isBold = (name: string): boolean => boldHeadings && /^h[1-6]$/.test(name);
  let result = '';
  let formula = 0;
  let annotation = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'math') formula += 1;
        if (name === 'annotation') annotation += 1;
        if (formula > 0) return;
        if (isBold(name)) result += '<p><strong>';
        else
          result += `<${name}${Object.entries(attributes)
            .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
            .join('')}>`;
      },
      ontext(text) {
        if (formula === 0 || annotation > 0) result += escapeHtml(text);
      },
      onclosetag(name) {
        if (name === 'annotation') annotation -= 1;
        if (name === 'math') formula -= 1;
        else if (formula === 0 && !voidElements.has(name)) result += isBold(name) ? '</strong></p>' : `</${name}>`;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return result;
}
