import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';
import type { StateInline, Token } from 'markdown-it';
import { parseText, type TextToken } from './parse-text.ts';

const require = createRequire(import.meta.url);
type Markdown = InstanceType<typeof MarkdownIt>;
let loaded: Markdown | undefined;

/**
 * CommonMark with `~~strikethrough~~`, without HTML and indented code; every line break is kept. Loaded with the first
 * Markdown text, because few users write Markdown.
 */
const markdownParser = (): Markdown => (loaded ??= createMarkdownParser());

function createMarkdownParser(): Markdown {
  const Parser: typeof MarkdownIt = require('markdown-it');
  const markdown = new Parser('commonmark', { html: false, breaks: true, maxNesting: 100 })
    .enable('strikethrough')
    .disable(['html_block', 'html_inline', 'code', 'text_join']);
  markdown.validateLink = (href) => /^(?:https?|gemini|xmpp|magnet):/i.test(href) && URL.canParse(href);
  markdown.inline.ruler.before('text', 'piece', parseTextToken);
  markdown.inline.ruler.at('text', parsePlainText);
  return markdown;
}

/**
 * Returns the tokens of a Markdown text. Mentions, hashtags and bare links are tokens of type `piece`, see `pieceOf`.
 */
export function parseMarkdown(text: string): Token[] {
  return markdownParser().parse(text, {});
}

/** Returns the meaning of a token of type `piece`. */
export const textTokenOf = ({ meta }: Token): TextToken => meta as TextToken;

/** Matches the start of pieces that Markdown must not split: names may contain underscores, URLs any character. */
const tokenStarts = new WeakMap<StateInline, ReadonlyMap<number, TextToken>>();

function tokenStartsIn(state: StateInline): ReadonlyMap<number, TextToken> {
  let found = tokenStarts.get(state);
  if (found === undefined) {
    found = findTokenStarts(state.src);
    tokenStarts.set(state, found);
  }
  return found;
}

const shortcode = /:\w{2,}:/g;

function findTokenStarts(text: string): Map<number, TextToken> {
  const found = new Map<number, TextToken>();
  let offset = 0;
  for (const piece of parseText(text)) {
    if (piece.type === 'url') found.set(offset, trimEmphasis(piece.raw));
    else if (piece.type !== 'text') found.set(offset, piece);
    else
      for (const { 0: raw, index } of piece.raw.matchAll(shortcode)) found.set(offset + index, { type: 'text', raw });
    offset += piece.raw.length;
  }
  return found;
}

/** A bare link ends with the emphasis or code around it. */
function trimEmphasis(url: string): TextToken {
  const raw = /^[^`]*?(?=[*~]*(?:`|$))/.exec(url)?.[0] ?? url;
  return { type: 'url', raw, href: raw };
}

function parseTextToken(state: StateInline, silent: boolean): boolean {
  const piece = tokenStartsIn(state).get(state.pos);
  if (piece === undefined || state.pos + piece.raw.length > state.posMax) return false;
  if (!silent) {
    const token = state.push('piece', '', 0);
    token.content = piece.raw;
    token.meta = piece;
  }
  state.pos += piece.raw.length;
  return true;
}

/** Characters at which another rule of the parser may begin. */
const markdownMarks = new Set('\n!&*<[\\]_`~');

/** Consumes plain text up to the next mark or piece. */
function parsePlainText(state: StateInline, silent: boolean): boolean {
  const begins = tokenStartsIn(state);
  let end = state.pos;
  while (end < state.posMax && !markdownMarks.has(state.src.charAt(end)) && (end === state.pos || !begins.has(end)))
    end += 1;
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}
