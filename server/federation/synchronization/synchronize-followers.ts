import { defineJob } from '../../platform/work/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { acceptFollowRequest, unfollowAccount } from '../../relationships/follow/index.ts';
import { sendUnfollows } from '../delivery/deliver-relationships.ts';
import { followersDigest } from '../delivery/followers-digest.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from '../fetch/fetch-document.ts';
import { fetchCollectionItems } from '../fetch/fetch-collection.ts';

/** Limits of the fetched collection (reference/limits.tsv, "sync collection pages"). */
const limits = { pages: 10, items: 25_000 };
/** Maximum number of corrections of one kind per run. The next run finds the rest. */
const maxChanges = 500;

/**
 * Fetches the local followers that the server of a remote account has stored, and reconciles both sides. Deletes
 * follows that are missing there, if the answer matches the announced digest; accepts pending requests that were
 * accepted there; and sends an Undo for follows that exist only there.
 */
export const synchronizeFollowers = defineJob(
  'account.synchronize_followers',
  Type.Object({ accountId: idSchema<'account'>(), url: Type.String(), digest: Type.String() }),
  async (app, { accountId, url, digest }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.domain === null || account.suspended_at !== null) return;
    // Loaded before the request, so that new follows in the meantime are not affected.
    const localFollowers = await listLocalFollowers(app, accountId);
    const expected = await fetchExpectedFollowers(app, account, url);
    if (expected === undefined) return;
    const uris = new Set(expected.uris);
    if (expected.complete && followersDigest(uris) === digest) {
      const missingThere = localFollowers.filter(({ uri }) => !uris.has(uri)).slice(0, maxChanges);
      for (const { id } of missingThere) await unfollowAccount(app, id, accountId);
    }
    const localUris = new Set(localFollowers.map(({ uri }) => uri));
    const surplus = [...uris].filter((uri) => !localUris.has(uri)).slice(0, maxChanges);
    const nonFollowers = await listLocalNonFollowers(app, accountId, surplus);
    for (const { id, requested } of nonFollowers) if (requested) await acceptFollowRequest(app, accountId, id);
    const unknown = nonFollowers
      .filter(({ requested }) => !requested)
      .map(({ id }) => ({ accountId: id, targetAccountId: accountId }));
    if (unknown.length > 0) await transaction(app, (tx) => sendUnfollows(tx, app, unknown));
  },
  'remote',
);

interface Follower {
  readonly id: AccountId;
  readonly uri: string;
}

function listLocalFollowers(app: App, accountId: AccountId): Promise<Follower[]> {
  return app.db
    .selectFrom('follows')
    .innerJoin('accounts', 'accounts.id', 'follows.account_id')
    .select(['accounts.id', 'accounts.uri'])
    .where('follows.target_account_id', '=', accountId)
    .where('accounts.domain', 'is', null)
    .execute();
}

/** Returns undefined if the collection cannot be fetched. Then nothing is changed. */
async function fetchExpectedFollowers(
  app: App,
  account: AccountRow,
  url: string,
): Promise<{ uris: string[]; complete: boolean } | undefined> {
  try {
    const { items, complete } = await fetchCollectionItems(app, url, account.uri, limits);
    return { uris: items.filter((item) => typeof item === 'string'), complete };
  } catch (error) {
    if (error instanceof FetchError && error.temporary) throw error;
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Returns the local actors among these that do not follow the account, and whether they requested to. */
async function listLocalNonFollowers(
  app: App,
  targetId: AccountId,
  uris: readonly string[],
): Promise<{ id: AccountId; requested: boolean }[]> {
  if (uris.length === 0) return [];
  const { rows } = await sql<{ id: AccountId; requested: boolean }>`
    select account.id, exists (
      select from follow_requests where account_id = account.id and target_account_id = ${targetId}::bigint) as requested
    from accounts account
    where account.uri = any(${[...uris]}::text[]) and account.domain is null and account.deleted_at is null
      and not exists (
        select from follows where account_id = account.id and target_account_id = ${targetId}::bigint)`.execute(app.db);
  return rows;
}
