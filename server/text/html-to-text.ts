import { Parser } from 'htmlparser2';
import { boundMarkup } from './bound-markup.ts';

const silent = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math', 'head']);
/** Line breaks in a row that are kept. */
const mostBreaks = 10;
const ownLine = new Set(['li', 'div', 'blockquote', 'pre', 'tr', 'ul', 'ol']);

/** The plain text of safe or unsafe HTML: line breaks for `br`, blank lines between paragraphs, entities decoded. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let silence = 0;
  // Line breaks before the next text: those of blocks do not add up, those of `br` do.
  let breaks = 0;
  const breakLine = (lines: number): void => {
    breaks = Math.max(breaks, lines);
  };
  const parser = new Parser(
    {
      onopentag(name) {
        if (silent.has(name)) silence += 1;
        else if (name === 'br') breaks += 1;
        else if (name === 'p' || /^h[1-6]$/.test(name)) breakLine(2);
        else if (ownLine.has(name)) breakLine(1);
      },
      ontext(part) {
        if (silence > 0 || (breaks > 0 && part.trim() === '')) return;
        if (parts.length > 0 && breaks > 0) parts.push('\n'.repeat(Math.min(breaks, mostBreaks)));
        parts.push(part);
        breaks = 0;
      },
      onclosetag(name) {
        if (silent.has(name)) silence = Math.max(0, silence - 1);
        else if (name === 'p') breakLine(2);
      },
    },
    { decodeEntities: true },
  );
  parser.end(boundMarkup(html));
  return parts.join('').trim();
}
