import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Note } from '../documents/parse-note.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { localUsername } from '../local-addresses.ts';

/** Whether one of these accounts has a local follower. */
export async function isFollowedLocally(app: App, ids: readonly AccountId[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const { rows } = await sql<{ found: number }>`
    select 1 as found from follows join accounts follower on follower.id = follows.account_id
    where follows.target_account_id = any(${[...ids]}::bigint[]) and follower.domain is null limit 1`.execute(app.db);
  return rows.length > 0;
}

/**
 * Whether a post concerns this server: its author has local followers, it addresses a local account, it replies to a
 * local account or one with local followers, or it quotes a local post. Other posts are ignored, so that strangers
 * cannot fill the database.
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
