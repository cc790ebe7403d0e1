import { sql } from 'kysely';
import {
  loadCachedAccounts,
  featureApprovalFor,
  dependsOnFollows,
  toAccountText,
  type CachedAccount,
  type FeatureApproval,
} from '../../accounts/present/index.ts';
import type { Account } from '../../accounts/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Undefined for anonymous viewers. */
type Viewer = { readonly accountId: AccountId } | undefined;

/**
 * Presents accounts to a viewer: unlike in `presentAccounts`, `feature_approval.current_user` is that of the viewer. Costs
 * one more query if it depends on follows.
 */
export async function presentAccountsFor(
  app: App,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<JsonText<Account>[]> {
  const bodies = await loadCachedAccounts(app, ids);
  const approvals = await loadFeatureApprovals(app, viewer, bodies.values());
  const media = mediaViewerOf(viewer);
  return ids.flatMap((id) => {
    const account = bodies.get(id);
    return account?.activated === true
      ? [toAccountText(account, { ...media, featureApproval: approvals.get(id) })]
      : [];
  });
}

/** Presents one account to a viewer. Throws 404 for an unknown account. */
export async function presentAccountFor(app: App, viewer: Viewer, id: AccountId): Promise<JsonText<Account>> {
  const [account] = await presentAccountsFor(app, viewer, [id]);
  if (account === undefined) throw notFound();
  return account;
}

interface Follow {
  readonly account_id: AccountId;
  readonly target_account_id: AccountId;
}

const selectFollowsBetween = preparedQuery<Follow>()((db, args: { viewerId: AccountId; ids: readonly AccountId[] }) =>
  db
    .selectFrom('follows')
    .select(['account_id', 'target_account_id'])
    .where(
      sql<boolean>`(account_id = ${args.viewerId}::bigint and target_account_id = any(${args.ids}::bigint[]))
        or (target_account_id = ${args.viewerId}::bigint and account_id = any(${args.ids}::bigint[]))`,
    ),
);

/** Returns whether the viewer may add each account to a collection, regardless of blocks. Denied to anonymous viewers. */
export async function loadFeatureApprovals(
  app: App,
  viewer: Viewer,
  bodies: Iterable<CachedAccount>,
): Promise<Map<AccountId, FeatureApproval>> {
  const all = [...bodies];
  if (viewer === undefined) return new Map(all.map(({ id }) => [id, 'denied']));
  const { accountId: viewerId } = viewer;
  const ids = all
    .filter(
      ({ id, featurePolicy }) => id !== viewerId && featurePolicy !== undefined && dependsOnFollows(featurePolicy),
    )
    .map(({ id }) => id);
  const follows = ids.length === 0 ? [] : await selectFollowsBetween(app, { viewerId, ids });
  const followed = new Set(follows.map((row) => row.target_account_id));
  const followers = new Set(follows.map((row) => row.account_id));
  return new Map(
    all.map(({ id, featurePolicy }) => {
      const relation = {
        isSelf: id === viewerId,
        isFollower: followed.has(id),
        isFollowed: followers.has(id),
      };
      return [id, featureApprovalFor(featurePolicy, relation)];
    }),
  );
}
