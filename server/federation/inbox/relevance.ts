import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Note } from '../documents/parse-note.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { localUsername } from '../local-addresses.ts';

/** Says whether anybody of this server follows one of these accounts. */
export async function isFollowedLocally(app: App, ids: readonly AccountId[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const { rows } = await sql<{ found: number }>`
    select 1 as found from follows join accounts follower on follower.id = follows.account_id
    where follows.target_account_id = any(${[...ids]}::bigint[]) and follower.domain is null limit 1`.execute(app.db);
  return rows.length > 0;
}

/**
 * Says whether a post concerns this server: somebody here follows its author or is addressed, or it answers a post of
 * somebody here, or of somebody followed here, or quotes one of somebody here. All others are dropped, or anybody could fill the database.
 */
export async function isRelevant(app: App, note: Note, authorId: AccountId | undefined): Promise<boolean> {
  if ([...note.to, ...note.cc].some((uri) => localUsername(app, uri) !== undefined)) return true;
  const parent = note.inReplyTo === undefined ? undefined : await findStatusByUri(app, note.inReplyTo);
  if (parent?.local === true) return true;
  const { quote } = note;
  if (quote !== undefined && !quote.legacy && (await findStatusByUri(app, quote.uri))?.local === true) return true;
  return isFollowedLocally(
    app,
    [authorId, parent?.account_id].filter((id) => id !== undefined),
  );
}
