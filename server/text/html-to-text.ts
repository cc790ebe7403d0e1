import { Parser } from 'htmlparser2';
import { limitMarkup } from './limit-markup.ts';

const skippedElements = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math', 'head']);
/** Maximum number of successive line breaks. */
const maxLineBreaks = 10;
const blockElements = new Set(['li', 'div', 'blockquote', 'pre', 'tr', 'ul', 'ol']);

/**
 * Converts safe or unsafe HTML to plain text: line breaks for `br`, blank lines between paragraphs, entities decoded.
 */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let skipDepth = 0;
  // Line breaks before the next text: those of blocks do not add up, those of `br` do.
  let breaks = 0;
  const breakLine = (lines: number): void => {
    breaks = Math.max(breaks, lines);
  };
  const parser = new Parser(
    {
      onopentag(name) {
        if (skippedElements.has(name)) skipDepth += 1;
        else if (name === 'br') breaks += 1;
        else if (name === 'p' || /^h[1-6]$/.test(name)) breakLine(2);
        else if (blockElements.has(name)) breakLine(1);
      },
      ontext(part) {
        if (skipDepth > 0 || (breaks > 0 && part.trim() === '')) return;
        if (parts.length > 0 && breaks > 0) parts.push('\n'.repeat(Math.min(breaks, maxLineBreaks)));
        parts.push(part);
        breaks = 0;
      },
      onclosetag(name) {
        if (skippedElements.has(name)) skipDepth = Math.max(0, skipDepth - 1);
        else if (name === 'p') breakLine(2);
      },
    },
    { decodeEntities: true },
  );
  parser.end(limitMarkup(html));
  return parts.join('').trim();
}
