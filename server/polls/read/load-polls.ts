import { sql, type Selectable } from 'kysely';
import { buildCachedEmojis, type CachedEmoji } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { PollId } from '../../platform/ids.ts';
import type { PollTables } from '../tables.ts';

export type PollRow = Selectable<PollTables['polls']>;

/** A poll with the emojis in its options. */
export interface PollWithEmojis extends PollRow {
  readonly emojis: readonly CachedEmoji[];
}

const pollRows = preparedQuery<PollRow & { readonly domain: string | null }>()(
  (db, { ids }: { ids: readonly PollId[] }) =>
    db
      .selectFrom('polls')
      .innerJoin('accounts', 'accounts.id', 'polls.account_id')
      .selectAll('polls')
      .select('accounts.domain')
      .where(sql<boolean>`polls.id = any(${ids}::bigint[])`),
);

/** Returns polls by id in one statement. Unknown ones are missing. Checks no visibility. */
export async function loadPolls(app: App, ids: readonly PollId[]): Promise<Map<PollId, PollWithEmojis>> {
  if (ids.length === 0) return new Map();
  const found = await pollRows(app, { ids });
  const emojis = await buildCachedEmojis(
    app,
    found.map(({ domain, options }) => ({ domain, texts: options })),
  );
  return new Map(found.map((poll, index) => [poll.id, { ...poll, emojis: emojis[index] ?? [] }]));
}
