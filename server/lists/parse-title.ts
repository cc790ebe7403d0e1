import { validationFailed } from '../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';

/** In characters (reference/limits.tsv). */
const maxTitleLength = 256;

/** Returns a title as it is stored. Throws 422 if it is empty or too long. */
export function parseTitle(text: string): string {
  const title = cleanText(text).trim();
  if (title === '') throw validationFailed("Title can't be blank");
  if (exceedsLimit(title, maxTitleLength))
    throw validationFailed(`Title is too long (maximum is ${maxTitleLength} characters)`);
  return title;
}
