import { Type, type Static } from 'typebox';
import { invalidField } from '../platform/http/http-errors.ts';
import { idSchema } from '../platform/id-schema.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';
import { maxKeywordLength, maxTitleLength } from './filter-limits.ts';
import { FilterAction, FilterContext } from './schema.ts';

/** Seconds until a filter expires. A blank text or null removes the expiry. */
export const ExpiresIn = Type.Union([Type.String(), Type.Integer(), Type.Null()], {
  description: 'Seconds from now; blank or null: never',
});

export const FilterInput = Type.Object({
  title: Type.Optional(Type.String()),
  context: Type.Optional(Type.Array(FilterContext)),
  filter_action: Type.Optional(FilterAction),
  expires_in: Type.Optional(ExpiresIn),
  keywords_attributes: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(idSchema<'filter-keyword'>()),
        keyword: Type.Optional(Type.String()),
        whole_word: Type.Optional(Type.Boolean()),
        _destroy: Type.Optional(Type.Boolean({ description: 'Deletes the keyword with this id' })),
      }),
    ),
  ),
});
export type FilterInput = Static<typeof FilterInput>;

/** A new, changed or deleted keyword of a filter. */
export type KeywordAttributes = NonNullable<FilterInput['keywords_attributes']>[number];

/** Returns a title as it is stored. Throws 422 if it is blank or too long. `field`: its name in the request. */
export function parseTitle(text: string | undefined, field: 'title' | 'phrase' = 'title'): string {
  const title = cleanText(text ?? '').trim();
  if (title === '') throw invalidField(field, 'problems.blank');
  if (exceedsLimit(title, maxTitleLength)) throw invalidField(field, 'problems.tooLong', { max: maxTitleLength });
  return title;
}

/** Returns a keyword as it is stored: with its spaces, which may be its boundaries. Throws 422 if it is blank or too long. */
export function parseKeyword(text: string | undefined): string {
  const keyword = cleanText(text ?? '');
  if (keyword.trim() === '') throw invalidField('keyword', 'problems.blank');
  if (exceedsLimit(keyword, maxKeywordLength))
    throw invalidField('keyword', 'problems.tooLong', { max: maxKeywordLength });
  return keyword;
}

/** Returns contexts without repeats. Throws 422 if there is none. */
export function parseContext(context: readonly FilterContext[] | undefined): FilterContext[] {
  const unique = [...new Set(context ?? [])];
  if (unique.length === 0) throw invalidField('context', 'problems.needsItem');
  return unique;
}

/** A century, so that the time can be written with four digits. */
const maxSeconds = 3_155_760_000;

/**
 * Returns when a filter expires; null: never; undefined: not in the request. Nothing and a negative number are times
 * that have passed, as in Mastodon. Throws 422 for text that is no number.
 */
export function parseExpiry(expiresIn: Static<typeof ExpiresIn> | undefined, now: Date): Date | null | undefined {
  if (expiresIn === undefined) return undefined;
  if (expiresIn === null || String(expiresIn).trim() === '') return null;
  const seconds = Number(expiresIn);
  if (!Number.isFinite(seconds)) throw invalidField('expires_in', 'problems.notSeconds');
  return new Date(now.getTime() + Math.min(Math.max(Math.trunc(seconds), 0), maxSeconds) * 1_000);
}
