import type { Token } from 'markdown-it';
import { cleanText } from '../clean-text.ts';
import { escapeHtml } from '../escape-html.ts';
import { ambiguousUsernames, formatToken, formatText, type FormatOptions } from './format-text.ts';
import { htmlToText } from '../html-to-text.ts';
import { parseMarkdown, textTokenOf } from './parse-markdown.ts';
import { parseText, type TextToken } from './parse-text.ts';
import { sanitizeHtml } from '../sanitize-html.ts';

/** A part of Markdown: our HTML around it, plain text without meaning, or a piece of plain text. */
type MarkdownNode =
  | { readonly type: 'markup'; readonly html: string }
  | { readonly type: 'literal'; readonly raw: string }
  | TextToken;

/**
 * Renders Markdown as safe HTML with the elements that posts may contain: headings become bold paragraphs, images
 * become links. Mentions, hashtags and links are rendered as in plain text, but not inside code and link texts.
 * Markdown that would render nothing is shown as plain text.
 */
export function formatMarkdown(text: string, options: Omit<FormatOptions, 'singleLine' | 'relMe'>): string {
  const parts = parseNodes(text);
  const ambiguous = ambiguousUsernames(parts.filter(isTextToken), options.mentions);
  const html = sanitizeHtml(parts.map((part) => renderNode(part, options, ambiguous)).join(''));
  return htmlToText(html) === '' ? sanitizeHtml(formatText(text, options)) : html;
}

/** Returns the mentions, hashtags and links of Markdown, with the text between them; see `formatMarkdown`. */
export function parseMarkdownText(text: string): TextToken[] {
  return parseNodes(text).filter(isTextToken);
}

const isTextToken = (part: MarkdownNode): part is TextToken => part.type !== 'markup' && part.type !== 'literal';

function renderNode(part: MarkdownNode, options: FormatOptions, ambiguous: ReadonlySet<string>): string {
  if (part.type === 'markup') return part.html;
  return part.type === 'literal' ? escapeHtml(part.raw) : formatToken(part, options, ambiguous);
}

const markup = (html: string): MarkdownNode => ({ type: 'markup', html });
const literal = (raw: string): MarkdownNode => ({ type: 'literal', raw });

function parseNodes(text: string): MarkdownNode[] {
  return parseMarkdown(cleanText(text).trim()).flatMap(parseBlock);
}

function parseBlock(token: Token): MarkdownNode[] {
  switch (token.type) {
    case 'inline':
      return parseInline(token.children ?? []);
    case 'fence':
      return [markup('<pre><code>'), literal(token.content.replace(/\n$/, '')), markup('</code></pre>')];
    case 'hr':
      return [markup('<p>'), literal(token.markup), markup('</p>')];
    case 'heading_open':
      return [markup('<p><strong>')];
    case 'heading_close':
      return [markup('</strong></p>')];
    case 'ordered_list_open':
      return [markup(`<ol start="${Number(token.attrGet('start') ?? 1)}">`)];
    default:
      return token.hidden ? [] : [htmlTag(token)];
  }
}

function parseInline(tokens: readonly Token[]): MarkdownNode[] {
  const parts: MarkdownNode[] = [];
  // Links do not nest, so a link text contains no links. The text of a bare link is its URL.
  let link: 'bare' | 'words' | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href'));
      link = token.markup === 'autolink' ? 'bare' : 'words';
      parts.push(link === 'bare' ? bareLink(href) : openLink(href));
    } else if (token.type === 'link_close') {
      if (link === 'words') parts.push(markup('</a>'));
      link = undefined;
    } else if (link !== 'bare') {
      parts.push(...parseSpan(token, link === 'words'));
    }
  }
  return parts;
}

const bareLink = (href: string): MarkdownNode => ({ type: 'url', raw: href, href });
const openLink = (href: string): MarkdownNode => markup(`<a href="${escapeHtml(href)}">`);

/** `words`: the text of a link. */
function parseSpan(token: Token, insideLink: boolean): MarkdownNode[] {
  switch (token.type) {
    case 'text':
      return insideLink ? [literal(token.content)] : parseText(token.content);
    case 'piece':
      return insideLink ? [literal(token.content)] : [textTokenOf(token)];
    case 'text_special':
      return [literal(token.content)];
    case 'code_inline':
      return [markup('<code>'), literal(token.content), markup('</code>')];
    case 'softbreak':
    case 'hardbreak':
      return [markup('<br />')];
    case 'image':
      return insideLink ? [literal(token.content)] : parseImage(token);
    default:
      return [htmlTag(token)];
  }
}

/** A post cannot show an external image: it becomes a link with its description. */
function parseImage(token: Token): MarkdownNode[] {
  const source = String(token.attrGet('src'));
  if (token.content === '') return [bareLink(source)];
  return [openLink(source), literal(token.content), markup('</a>')];
}

/** Paragraphs, lists, quotations and emphasis are the same in HTML; strikethrough has another name. */
function htmlTag({ tag: name, nesting }: Token): MarkdownNode {
  return markup(`<${nesting < 0 ? '/' : ''}${name === 's' ? 'del' : name}>`);
}
