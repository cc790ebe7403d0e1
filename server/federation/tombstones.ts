import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';

/** Under which name the deletion of a remote object is remembered: it holds for what this actor deleted as its own. */
export const tombstoneKey = (actorUri: string, uri: string): string => `${actorUri} ${uri}`;

/** Remembers that an object was deleted: a Create that comes late is ignored, those who ask are told. */
export async function storeTombstone({ db }: Transaction, app: App, name: string): Promise<void> {
  await sql`insert into tombstones (uri, created_at) values (${name}, ${app.clock.now()}) on conflict do nothing`.execute(
    db,
  );
}

/** Says whether an actor deleted an object of its own before. */
export async function hasTombstone(app: App, actorUri: string, uri: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('tombstones')
    .select('uri')
    .where('uri', '=', tombstoneKey(actorUri, uri))
    .executeTakeFirst();
  return row !== undefined;
}
