import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { validationFailed } from '../platform/http/http-errors.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { parseTitle } from './parse-title.ts';
import type { List, RepliesPolicy } from './schema.ts';
import { writable } from './tables.ts';

/** Lists per account (reference/limits.tsv). */
export const maxLists = 50;

export interface ListParams {
  readonly title?: string | undefined;
  /** Default `list`. */
  readonly repliesPolicy?: RepliesPolicy | undefined;
  /** Default false. */
  readonly exclusive?: boolean | undefined;
}

/** Creates an empty list (LST-01). Throws 422 for a missing or too long title, and above `maxLists`. */
export async function createList(app: App, accountId: AccountId, params: ListParams): Promise<List> {
  const title = parseTitle(params.title ?? '');
  const now = app.clock.now();
  const { repliesPolicy = 'list', exclusive = false } = params;
  const list: List = { id: newId<'list'>(now), title, replies_policy: repliesPolicy, exclusive };
  await transaction(app, async ({ db }) => {
    // Serializes concurrent requests, so that they cannot exceed the limit together.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`lists ${accountId}`}, 0))`.execute(db);
    const { count } = await db
      .selectFrom('lists')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxLists) throw validationFailed('lists.tooManyLists');
    await writable(db)
      .insertInto('lists')
      .values({ ...list, account_id: accountId, created_at: now })
      .execute();
  });
  return list;
}
