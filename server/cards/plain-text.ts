import { cleanText, htmlToText } from '../text/index.ts';

// Marks that change the direction of the text around them. A title must not affect the rest of its line.
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text in one line without control characters and direction marks, at most `maxLength` characters. */
export function toPlainText(text: string, maxLength: number): string {
  const line = cleanText(text).replace(directionMarks, '').replace(/\s+/g, ' ').trim();
  if (line.length <= maxLength) return line;
  return `${[...line]
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}

/** Like `toPlainText`, and decodes HTML entities, which many pages have in JSON. Tags stay text. */
export function decodeToPlainText(text: string, maxLength: number): string {
  const entities = text.includes('&') ? htmlToText(text.slice(0, 8 * maxLength).replaceAll('<', '&lt;')) : text;
  return toPlainText(entities, maxLength);
}
