import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { invalid } from '../platform/http/problems.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { readTitle } from './read-title.ts';
import type { List, RepliesPolicy } from './schema.ts';

/** Lists that an account may have (reference/limits.tsv). */
export const mostLists = 50;

export interface NewList {
  readonly title?: string | undefined;
  /** Default `list`. */
  readonly repliesPolicy?: RepliesPolicy | undefined;
  /** Default false. */
  readonly exclusive?: boolean | undefined;
}

/** Makes an empty list (LST-01). 422 without a title, with one too long, and past fifty lists. */
export async function createList(app: App, accountId: AccountId, asked: NewList): Promise<List> {
  const title = readTitle(asked.title ?? '');
  const now = app.clock.now();
  const { repliesPolicy = 'list', exclusive = false } = asked;
  const list: List = { id: newId<'list'>(now), title, replies_policy: repliesPolicy, exclusive };
  await write(app, async ({ db }) => {
    // Two at once must not both be the fiftieth.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`lists ${accountId}`}, 0))`.execute(db);
    const { count } = await db
      .selectFrom('lists')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostLists) throw invalid('You have reached the maximum number of lists');
    await db
      .insertInto('lists')
      .values({ ...list, account_id: accountId, created_at: now })
      .execute();
  });
  return list;
}
