import { sql } from 'kysely';
import { loadCachedAccounts, toAccountText } from '../../accounts/present/index.ts';
import type { Account } from '../../accounts/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { AccountWarning, WarningId } from './schema.ts';

/** Presents warnings by id. Those that are unknown, or whose account no longer exists, are left out. */
export async function presentWarnings(
  app: App,
  viewer: CurrentUser,
  ids: readonly WarningId[],
): Promise<Map<WarningId, AccountWarning>> {
  if (ids.length === 0) return new Map();
  const rows = await app.db
    .selectFrom('account_warnings')
    .select(['id', 'account_id', 'action', 'text', 'status_ids', 'created_at'])
    .where('id', '=', sql<WarningId>`any(${ids}::bigint[])`)
    .execute();
  const accounts = await loadCachedAccounts(
    app,
    rows.map((row) => row.account_id),
  );
  const media = mediaViewerOf(viewer);
  return new Map(
    rows.flatMap(({ account_id, created_at, ...row }) => {
      const account = accounts.get(account_id);
      if (account === undefined) return [];
      const target = JSON.parse(toAccountText(account, media).text) as Account;
      return [[row.id, { ...row, target_account: target, appeal: null, created_at: created_at.toISOString() }]];
    }),
  );
}
