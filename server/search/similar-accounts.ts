import { sql, type RawBuilder } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { isStatementCancelled, queryWithTimeout } from '../platform/database/query-with-timeout.ts';
import type { AccountId } from '../platform/ids.ts';
import { editDistance } from '../text/index.ts';
import { typingErrorPatterns } from './typing-error-patterns.ts';

/** A search for accounts whose name was mistyped. */
export interface SimilarSearch {
  readonly text: string;
  readonly viewerId: AccountId | undefined;
  /** Only accounts that the viewer follows. */
  readonly following: boolean;
  readonly limit: number;
}

/** Shorter words are similar to too many names. */
const minLength = 4;
const maxLength = 40;
/** Maximum number of names that are compared letter by letter. */
const maxCandidates = 200;
/** The results only fill up a page, so they are left out if they take longer. */
const timeoutMs = 500;

/** In shorter words only one error is assumed. */
const minTwoErrorsLength = 8;
/** Two swapped letters change four trigrams: most of a short word, few of a long one. */
const minSimilarity = (word: string): number => (word.length < 6 ? 0.15 : word.length < 8 ? 0.2 : 0.25);

/**
 * Finds accounts whose username, or a word of whose display name, differs from the text by a typing error: one, or two in
 * a word of eight letters or more. The closest first. Finds none if the database is too slow.
 */
export async function findSimilarAccounts(app: App, search: SimilarSearch): Promise<AccountId[]> {
  const word = search.text.replace(/^@/, '').toLowerCase();
  if (!/^\S+$/u.test(word) || word.includes('@') || word.length < minLength || word.length > maxLength) return [];
  const maxDistance = word.length < minTwoErrorsLength ? 1 : 2;
  const rows = await loadCandidates(app, word, search);
  return rows
    .map(({ id, username, display_name }) => ({
      id,
      distance: Math.min(
        ...[username, ...display_name.split(/\s+/u).slice(0, 8)]
          .map((name) => name.slice(0, maxLength).toLowerCase())
          .filter((name) => Math.abs(name.length - word.length) <= 2 * maxDistance)
          .map((name) => editDistance(name, word)),
      ),
    }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, search.limit)
    .map(({ id }) => id);
}

const names = sql`(lower(a.username) || ' ' || lower(a.display_name))`;

/**
 * Whether a name of the account `a` may be the mistyped word, by the index of trigrams. Half of a short word finds far fewer
 * names than the one trigram that it shares with the mistyped one, but a half without letters would find all.
 */
const isSimilar = (word: string): RawBuilder<boolean> =>
  word.length < minTwoErrorsLength && /^[\p{L}\p{N}]{4,}$/u.test(word)
    ? sql`${names} like any(${typingErrorPatterns(word)}::text[])`
    : sql`${names} %> ${word}::text`;

interface Candidate {
  readonly id: AccountId;
  readonly username: string;
  readonly display_name: string;
}

async function loadCandidates(
  app: App,
  word: string,
  { viewerId, following }: SimilarSearch,
): Promise<readonly Candidate[]> {
  try {
    return await queryWithTimeout<Candidate>(
      app,
      sql`select a.id, a.username, a.display_name
        from accounts a left join account_stats st on st.account_id = a.id
        where ${isSimilar(word)}
          and a.suspended_at is null and a.deleted_at is null and a.activated and a.moved_to_account_id is null
          and a.id <> ${sql.lit(instanceActorId)}
          and (a.silenced_at is null or ${isFollowed(viewerId)})
          and (not ${following}::boolean or ${isFollowed(viewerId)})
        order by word_similarity(${word}::text, ${names}) desc,
          st.followers_count desc nulls last, a.id
        limit ${maxCandidates}::int`,
      { timeoutMs, settings: { 'pg_trgm.word_similarity_threshold': minSimilarity(word) } },
    );
  } catch (error) {
    if (isStatementCancelled(error)) return [];
    throw error;
  }
}

const isFollowed = (viewerId: AccountId | undefined) => sql`exists (
  select from follows f where f.account_id = ${viewerId ?? null}::bigint and f.target_account_id = a.id)`;
