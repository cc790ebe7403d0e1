import { invalidFieldsError } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import { exceedsLimit } from '../text/index.ts';

const maxQueryLength = 200;
const maxWords = 10;

/**
 * Returns the LIKE patterns of the words of a search: a text matches if it contains each of them, whatever the case. None
 * for an empty search. Throws 422 if it is too long.
 */
export function parseSearch(query = ''): string[] {
  const words = [...new Set(query.toLowerCase().split(/\s+/))].filter((word) => word !== '');
  if (exceedsLimit(query, maxQueryLength) || words.length > maxWords) {
    const description = message('bookmarks.searchTooLong', { max: maxQueryLength, maxWords });
    throw invalidFieldsError([{ field: 'q', error: 'ERR_TOO_LONG', description }]);
  }
  return words.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
}
