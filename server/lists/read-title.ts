import { invalid } from '../platform/http/problems.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';

/** Characters of a title (reference/limits.tsv). */
const longest = 256;

/** A title as it is stored. 422 for an empty one and one that is too long. */
export function readTitle(text: string): string {
  const title = cleanText(text).trim();
  if (title === '') throw invalid("Title can't be blank");
  if (exceedsLimit(title, longest)) throw invalid(`Title is too long (maximum is ${longest} characters)`);
  return title;
}
