import { sql } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { abortableQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';
import { withDeadline } from '../platform/with-deadline.ts';
import { editDistance } from '../text/index.ts';
import { typingErrorPatterns } from './typing-error-patterns.ts';

/** A search for accounts whose name was mistyped. */
export interface SimilarSearch {
  readonly text: string;
  readonly viewerId: AccountId | undefined;
  /** Only accounts that the viewer follows. */
  readonly following: boolean;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Shorter words are similar to too many names. */
const minLength = 4;
const maxLength = 40;
/** Maximum number of names that are compared letter by letter. */
const maxCandidates = 500;
/** The results only fill up a page, so they are left out if they take longer. */
const timeoutMs = 500;
const tooSlow = new Error('the search for similar names takes too long');

/** In shorter words only one error is assumed. */
const minTwoErrorsLength = 8;

/**
 * Finds accounts whose username, or a word of whose display name, differs from the text by a typing error: one, or two in
 * a word of eight letters or more. The closest first. Finds none if the database is too slow.
 */
export async function findSimilarAccounts(app: App, search: SimilarSearch): Promise<AccountId[]> {
  const word = search.text.replace(/^@/, '').toLowerCase();
  if (!/^\S+$/u.test(word) || word.includes('@') || word.length < minLength || word.length > maxLength) return [];
  const maxDistance = word.length < minTwoErrorsLength ? 1 : 2;
  const rows = await loadCandidates(app, { word, maxDistance }, search);
  return rows
    .map(({ id, names }) => ({
      id,
      distance: Math.min(
        ...names
          .split(/\s+/u)
          .filter((name) => Math.abs(name.length - word.length) <= 2 * maxDistance)
          .map((name) => editDistance(name, word, maxDistance)),
      ),
    }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, search.limit)
    .map(({ id }) => id);
}

const names = sql`(lower(a.username) || ' ' || lower(a.display_name))`;

interface Args {
  readonly patterns: readonly string[];
  /** Of the username. */
  readonly shortest: number;
  readonly longest: number;
  readonly viewer: AccountId | null;
  readonly following: boolean;
}

const isFollowed = ({ viewer }: Args) => sql`exists (
  select from follows f where f.account_id = ${viewer}::bigint and f.target_account_id = a.id)`;

/** Finds names by the index of trigrams, usernames of about the same length first. */
const findCandidates = abortableQuery<{ readonly id: AccountId; readonly names: string }>()((db, args: Args) => ({
  compile: () =>
    sql<{ id: AccountId; names: string }>`
      select a.id, ${names} as names
      from accounts a
      where ${names} like any(${args.patterns}::text[])
        and a.suspended_at is null and a.deleted_at is null and a.activated and a.moved_to_account_id is null
        and a.id <> ${sql.lit(instanceActorId)}
        and (a.silenced_at is null or ${isFollowed(args)})
        and (not ${args.following}::boolean or ${isFollowed(args)})
      order by char_length(a.username) between ${args.shortest}::int and ${args.longest}::int desc, a.popularity desc, a.id
      limit ${sql.lit(maxCandidates)}`.compile(db),
}));

async function loadCandidates(
  app: App,
  { word, maxDistance }: { readonly word: string; readonly maxDistance: number },
  { viewerId, following, signal }: SimilarSearch,
) {
  const args = {
    patterns: typingErrorPatterns(word, maxDistance),
    shortest: Array.from(word).length - maxDistance,
    longest: Array.from(word).length + maxDistance,
    viewer: viewerId ?? null,
    following,
  };
  try {
    const deadline = { ms: timeoutMs, createError: () => tooSlow };
    return await withDeadline(signal, deadline, (either) => findCandidates(app, args, either));
  } catch (error) {
    if (error === tooSlow) return [];
    throw error;
  }
}
