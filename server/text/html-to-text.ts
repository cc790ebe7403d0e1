import { Parser } from 'htmlparser2';

const silent = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math', 'head']);
const ownLine = new Set(['li', 'div', 'blockquote', 'pre', 'tr', 'ul', 'ol']);

/** The plain text of safe or unsafe HTML: line breaks for `br`, blank lines between paragraphs, entities decoded. */
export function htmlToText(html: string): string {
  let text = '';
  let silence = 0;
  const breakLine = (lines: '\n' | '\n\n'): void => {
    if (text !== '') text = `${text.replace(/[ \n]{1,3}$/, '')}${lines}`;
  };
  const parser = new Parser(
    {
      onopentag(name) {
        if (silent.has(name)) silence += 1;
        else if (name === 'br') text += '\n';
        else if (name === 'p' || /^h[1-6]$/.test(name)) breakLine('\n\n');
        else if (ownLine.has(name)) breakLine('\n');
      },
      ontext(part) {
        if (silence === 0) text += part;
      },
      onclosetag(name) {
        if (silent.has(name)) silence = Math.max(0, silence - 1);
        else if (name === 'p') breakLine('\n\n');
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return text.trim();
}
