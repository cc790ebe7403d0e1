import { sql } from 'kysely';
import { instanceActorId } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Note } from '../documents/parse-note.ts';
import { findStatusByUri, findStatusUnlessFound, type FoundStatus } from '../find-status-by-uri.ts';
import { findLocalActorByAddress } from '../find-account-by-address.ts';

const selectLocalFollower = batchedQuery<{ found: true }>()<{ id: AccountId }>(
  { id: 'bigint' },
  ({ id }) => sql`
    select true as found from follows join accounts follower on follower.id = follows.account_id
    where follows.target_account_id = ${id} and follower.domain is null limit 1`,
  { batchSize: 128 },
);

/** Whether one of these accounts has a local follower. */
export async function isFollowedLocally(app: App, ids: readonly AccountId[]): Promise<boolean> {
  const followers = await Promise.all(ids.map((id) => selectLocalFollower(app, { id })));
  return followers.some((rows) => rows.length > 0);
}

/** Whether one of these addresses is that of an existing local account, other than the instance actor. */
export async function isLocalAccountAmong(app: App, uris: readonly string[]): Promise<boolean> {
  const accounts = await Promise.all(uris.map((uri) => findLocalActorByAddress(app, uri)));
  return accounts.some((account) => account !== undefined && account.id !== instanceActorId);
}

/**
 * Whether a post concerns this server: its author has local followers, it addresses a local account, it replies to a
 * local account or one with local followers, or it quotes a local post. Other posts are ignored, so that strangers
 * cannot fill the database.
 */
export async function isRelevant(
  app: App,
  note: Note,
  known: { readonly authorId: AccountId | undefined; readonly parent?: FoundStatus | undefined },
): Promise<boolean> {
  if (await isLocalAccountAmong(app, [...note.to, ...note.cc])) return true;
  const parent = await findStatusUnlessFound(app, note.inReplyTo, known.parent);
  if (parent?.local === true) return true;
  const { quote } = note;
  if (quote !== undefined && !quote.legacy && (await findStatusByUri(app, quote.uri))?.local === true) return true;
  return isFollowedLocally(
    app,
    [known.authorId, parent?.account_id].filter((id) => id !== undefined),
  );
}
