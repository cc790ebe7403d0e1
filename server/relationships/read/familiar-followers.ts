import { sql } from 'kysely';
import { Type } from 'typebox';
import { loadCachedAccounts, toAccountText } from '../../accounts/present/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { JsonText } from '../../platform/http/http-response.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { loadAccountRelations } from '../rules/relations.ts';
import { FamiliarFollowers } from '../schema.ts';

/** Accounts in one request, and followers returned for each. */
const maxIds = 80;
const maxFamiliarFollowers = 80;

interface FamiliarFollowersRow {
  readonly id: AccountId;
  /** Followers of `id` that the viewer follows, newest first. Empty if the account hides its network. */
  readonly familiar: AccountId[];
}

interface FamiliarFollowersArgs {
  readonly viewerId: AccountId;
  readonly ids: readonly AccountId[];
  readonly hidden: readonly AccountId[];
}

// One probe for each account that the viewer follows, because the other accounts may have millions of followers.
const selectFamiliarFollowers = preparedQuery<FamiliarFollowersRow>()(
  (db, { viewerId, ids, hidden }: FamiliarFollowersArgs) => ({
    compile: () =>
      sql<FamiliarFollowersRow>`
      select target.id, array(
        select theirs.account_id from follows mine
        cross join lateral (
          select account_id, id from follows
          where account_id = mine.target_account_id and target_account_id = target.id limit 1
        ) theirs
        join accounts a on a.id = theirs.account_id
        where mine.account_id = ${viewerId}::bigint
          and a.hide_collections is not true and a.suspended_at is null and a.deleted_at is null
          and target.hide_collections is not true and target.suspended_at is null
          and theirs.account_id <> all(${hidden}::bigint[])
        order by theirs.id desc limit ${sql.lit(maxFamiliarFollowers)}
      )::text[] as familiar
      from unnest(${ids}::bigint[]) with ordinality as requested(id, place) join accounts target on target.id = requested.id
      where target.deleted_at is null and target.activated
      order by requested.place`.compile(db),
  }),
);

/** Returns the followers of each account that the viewer follows, in the order of `ids`, without unknown accounts. */
export async function listFamiliarFollowers(
  app: App,
  viewerId: AccountId,
  ids: readonly AccountId[],
): Promise<FamiliarFollowersRow[]> {
  if (ids.length === 0) return [];
  const { blockedBy, muting } = await loadAccountRelations(app, viewerId);
  const rows = await selectFamiliarFollowers(app, {
    viewerId,
    ids: [...new Set(ids)],
    hidden: [...blockedBy, ...muting],
  });
  return rows.map((row) => (blockedBy.has(row.id) ? { id: row.id, familiar: [] } : row));
}

export const familiarFollowersRoute: Route = get('/api/v1/accounts/familiar_followers', {
  summary: 'List the followers of accounts that you follow too',
  access: 'user',
  scope: 'read|read:follows',
  input: Type.Object({ id: Type.Optional(Type.Array(idSchema<'account'>())) }),
  response: Type.Array(FamiliarFollowers),
  handle: async ({ app, viewer, input: { id = [] } }) => {
    if (id.length > maxIds) throw unprocessable('relationships.tooManyRequested', { max: maxIds });
    const rows = await listFamiliarFollowers(app, viewer.accountId, id);
    const bodies = await loadCachedAccounts(
      app,
      rows.flatMap(({ familiar }) => familiar),
    );
    const items = rows.map(({ id, familiar }) => {
      const accounts = familiar.flatMap((follower) => {
        const account = bodies.get(follower);
        return account === undefined ? [] : toAccountText(account, mediaViewerOf(viewer)).text;
      });
      return `{"id":"${id}","accounts":[${accounts.join(',')}]}`;
    });
    return new JsonText(`[${items.join(',')}]`);
  },
});
