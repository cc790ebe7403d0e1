import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';
import type { StateInline, Token } from 'markdown-it';
import { readText, type TextPiece } from './read-text.ts';

const require = createRequire(import.meta.url);
type Markdown = InstanceType<typeof MarkdownIt>;
let loaded: Markdown | undefined;

/**
 * CommonMark with `~~strikethrough~~`, without HTML and without code by indentation; every line break stays one. Loaded
 * with the first text: few write Markdown.
 */
const parser = (): Markdown => (loaded ??= makeParser());

function makeParser(): Markdown {
  const Parser = require('markdown-it') as typeof MarkdownIt;
  const made = new Parser('commonmark', { html: false, breaks: true, maxNesting: 100 })
    .enable('strikethrough')
    .disable(['html_block', 'html_inline', 'code', 'text_join']);
  made.validateLink = (href) => /^(?:https?|gemini|xmpp|magnet):/i.test(href) && URL.canParse(href);
  made.inline.ruler.before('text', 'piece', readPiece);
  made.inline.ruler.at('text', readPlain);
  return made;
}

/** The tokens of a Markdown text. Mentions, hashtags and bare links are tokens of type `piece`, see `pieceOf`. */
export function parseMarkdown(text: string): Token[] {
  return parser().parse(text, {});
}

/** What a token of type `piece` stands for. */
export const pieceOf = ({ meta }: Token): TextPiece => meta as TextPiece;

/** Where pieces begin that no mark of Markdown may take apart: a name may hold underscores, an address anything. */
const starts = new WeakMap<StateInline, ReadonlyMap<number, TextPiece>>();

function startsIn(state: StateInline): ReadonlyMap<number, TextPiece> {
  let found = starts.get(state);
  if (found === undefined) {
    found = findStarts(state.src);
    starts.set(state, found);
  }
  return found;
}

const shortcode = /:\w{2,}:/g;

function findStarts(text: string): Map<number, TextPiece> {
  const found = new Map<number, TextPiece>();
  let offset = 0;
  for (const piece of readText(text)) {
    if (piece.type === 'url') found.set(offset, withoutMarks(piece.raw));
    else if (piece.type !== 'text') found.set(offset, piece);
    else
      for (const { 0: raw, index } of piece.raw.matchAll(shortcode)) found.set(offset + index, { type: 'text', raw });
    offset += piece.raw.length;
  }
  return found;
}

/** A bare link ends where the emphasis or the code around it does. */
function withoutMarks(url: string): TextPiece {
  const raw = /^[^`]*?(?=[*~]*(?:`|$))/.exec(url)?.[0] ?? url;
  return { type: 'url', raw, href: raw };
}

function readPiece(state: StateInline, silent: boolean): boolean {
  const piece = startsIn(state).get(state.pos);
  if (piece === undefined || state.pos + piece.raw.length > state.posMax) return false;
  if (!silent) {
    const token = state.push('piece', '', 0);
    token.content = piece.raw;
    token.meta = piece;
  }
  state.pos += piece.raw.length;
  return true;
}

/** Marks at which another rule of the parser may begin. */
const marks = new Set('\n!&*<[\\]_`~');

/** Takes what is nothing but text, up to the next mark or piece. */
function readPlain(state: StateInline, silent: boolean): boolean {
  const begins = startsIn(state);
  let end = state.pos;
  while (end < state.posMax && !marks.has(state.src.charAt(end)) && (end === state.pos || !begins.has(end))) end += 1;
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}
