import { defineJob } from '../../platform/jobs/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { findAccount, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { idSchema, type AccountId } from '../../platform/ids.ts';
import { acceptFollowRequest, unfollowAccount } from '../../relationships/index.ts';
import { sendUnfollows } from '../delivery/deliver-relationships.ts';
import { followersDigest } from '../delivery/followers-digest.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from '../fetch/fetch-document.ts';
import { fetchCollectionItems } from '../fetch/fetch-collection.ts';

/** Of what the other side tells (reference/limits.tsv, "sync collection pages"). */
const limits = { pages: 10, items: 25_000 };
/** Differences of one kind that one run sets right; the rest is found the next time. */
const maxChanges = 500;

/**
 * Asks the server of an account whom of this server it holds to be its followers, and makes both sides agree: follows
 * that are unknown there end here, when the answer is what was announced; an acceptance that was lost is made up for;
 * and what is no follow here is taken back there.
 */
export const synchronizeFollowers = defineJob(
  'account.synchronize_followers',
  Type.Object({ accountId: idSchema<'account'>(), url: Type.String(), digest: Type.String() }),
  async (app, { accountId, url, digest }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.domain === null || account.suspended_at !== null) return;
    // Looked up first: who comes to follow meanwhile is then left alone.
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

/** Undefined when they cannot be had: then nothing is known, and nothing is to be changed. */
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

/** Those among these actors that are of this server and do not follow the account, and whether they asked to. */
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
