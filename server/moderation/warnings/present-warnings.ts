import { sql } from 'kysely';
import { loadCachedAccounts, toAccountText } from '../../accounts/present/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { AccountWarning, WarningId } from './schema.ts';

/** Presents warnings by id. Those that are unknown, or whose account no longer exists, are left out. */
export async function presentWarnings(
  app: App,
  viewer: { readonly accountId: AccountId },
  ids: readonly WarningId[],
): Promise<Map<WarningId, AccountWarning>> {
  if (ids.length === 0) return new Map();
  const rows = await app.db
    .selectFrom('account_warnings')
    .leftJoin('appeals', 'appeals.warning_id', 'account_warnings.id')
    .select(['account_warnings.id', 'account_warnings.account_id', 'action', 'account_warnings.text', 'status_ids'])
    .select(['account_warnings.created_at', 'appeals.text as appeal_text', 'appeals.state as appeal_state'])
    .where('account_warnings.id', '=', sql<WarningId>`any(${ids}::bigint[])`)
    .execute();
  const accounts = await loadCachedAccounts(
    app,
    rows.map((row) => row.account_id),
  );
  const media = mediaViewerOf(viewer);
  return new Map(
    rows.flatMap(({ account_id, created_at, appeal_text, appeal_state, ...row }) => {
      const account = accounts.get(account_id);
      if (account === undefined) return [];
      const target = toAccountText(account, media).parse();
      const appeal = appeal_text === null || appeal_state === null ? null : { text: appeal_text, state: appeal_state };
      return [[row.id, { ...row, target_account: target, appeal, created_at: created_at.toISOString() }]];
    }),
  );
}
