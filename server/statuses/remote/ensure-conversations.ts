import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { hasAddress } from '../../platform/database/has-address.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type ConversationId } from '../../platform/ids.ts';

/**
 * Returns the ids of the conversations with these URIs, and creates missing ones. Safe against parallel inserts, and against
 * the clean-up of unused conversations: it locks those that exist.
 */
export async function ensureConversations(
  { db }: Transaction,
  app: App,
  uris: readonly string[],
): Promise<ReadonlyMap<string, ConversationId>> {
  const ids = new Map<string, ConversationId>();
  const wanted = [...new Set(uris)].filter((uri) => uri !== '').toSorted();
  const now = app.clock.now();
  // If a parallel transaction inserts the same URI, this statement waits and returns nothing. The next round finds it.
  for (let round = 0; ids.size < wanted.length && round < 3; round += 1) {
    const missing = wanted.filter((uri) => !ids.has(uri));
    const { rows } = await sql<{ id: ConversationId; uri: string }>`
      with given as (
        select * from unnest(${missing.map(() => newId<'conversation'>(now))}::bigint[], ${missing}::text[])
          as given (id, uri)
      ), existing as (
        select conversations.id, conversations.uri
        from given join conversations on ${hasAddress('conversations.uri', sql.ref('given.uri'))}
        for key share of conversations
      ), inserted as (
        insert into conversations (id, uri, created_at)
        select id, uri, ${now}::timestamptz from given where uri not in (select uri from existing)
        order by uri on conflict do nothing returning id, uri
      )
      select id, uri from existing union all select id, uri from inserted`.execute(db);
    for (const { id, uri } of rows) ids.set(uri, id);
  }
  return ids;
}
