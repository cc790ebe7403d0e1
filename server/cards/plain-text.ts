import { cleanText, htmlToText } from '../text/index.ts';

// Marks that turn the direction of the text around them: a title must not rewrite the line that it stands in.
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text of a page in one line: no control characters, no marks of direction, at most `most` characters. */
export function toPlainText(text: string, maxLength: number): string {
  const line = cleanText(text).replace(directionMarks, '').replace(/\s+/g, ' ').trim();
  if (line.length <= maxLength) return line;
  return `${[...line]
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}

/** As `plainText`, for texts in JSON, where many pages leave HTML entities: they are decoded, tags are text. */
export function decodeToPlainText(text: string, maxLength: number): string {
  const entities = text.includes('&') ? htmlToText(text.slice(0, 8 * maxLength).replaceAll('<', '&lt;')) : text;
  return toPlainText(entities, maxLength);
}
