import { invalidField } from '../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';

/** In characters (reference/limits.tsv). */
const maxTitleLength = 256;

/** Returns a title as it is stored. Throws 422 if it is empty or too long. */
export function parseTitle(text: string): string {
  const title = cleanText(text).trim();
  if (title === '') throw invalidField('title', 'problems.blank');
  if (exceedsLimit(title, maxTitleLength)) throw invalidField('title', 'problems.tooLong', { max: maxTitleLength });
  return title;
}
