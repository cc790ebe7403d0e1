import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';

/** Key of the tombstone of a remote object. It covers only objects that this actor deleted itself. */
export const tombstoneKey = (actorUri: string, uri: string): string => `${actorUri} ${uri}`;

/** Stores that an object was deleted, so that a late Create is ignored and requests are answered 410. */
export async function storeTombstone({ db }: Transaction, app: App, name: string): Promise<void> {
  await sql`insert into tombstones (uri, created_at) values (${name}, ${app.clock.now()}) on conflict do nothing`.execute(
    db,
  );
}

/** Whether an actor deleted one of its own objects before. */
export async function hasTombstone(app: App, actorUri: string, uri: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('tombstones')
    .select('uri')
    .where('uri', '=', tombstoneKey(actorUri, uri))
    .executeTakeFirst();
  return row !== undefined;
}
