import { validationFailed } from '../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';

/** Characters of a title (reference/limits.tsv). */
const maxTitleLength = 256;

/** A title as it is stored. 422 for an empty one and one that is too long. */
export function parseTitle(text: string): string {
  const title = cleanText(text).trim();
  if (title === '') throw validationFailed("Title can't be blank");
  if (exceedsLimit(title, maxTitleLength))
    throw validationFailed(`Title is too long (maximum is ${maxTitleLength} characters)`);
  return title;
}
