import { invalidField, validationFailed } from '../../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../../text/index.ts';
import { isShortcode } from '../shortcodes.ts';

/** reference/limits.tsv: shortcode length. */
const maxShortcodeLength = 128;
/** Characters. */
const maxCategoryLength = 100;

/** Throws 422 unless a local emoji may have this shortcode. */
export function assertShortcode(shortcode: string): void {
  if (!isLocalShortcode(shortcode)) throw validationFailed('emojis.invalidShortcode');
}

/** Returns whether a local emoji may have this shortcode. */
export const isLocalShortcode = (shortcode: string): boolean =>
  isShortcode(shortcode) && shortcode.length <= maxShortcodeLength;

/** Returns a category as stored; null for a blank one. Throws 422 if it is too long. */
export function parseCategory(text: string): string | null {
  const category = cleanText(text).trim();
  if (exceedsLimit(category, maxCategoryLength))
    throw invalidField('category', 'problems.tooLong', { max: maxCategoryLength });
  return category === '' ? null : category;
}
