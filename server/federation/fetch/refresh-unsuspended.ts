import { sql } from 'kysely';
import { accountUnsuspended } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import { refreshAccount } from './resolve-account.ts';

/** Fetches remote accounts whose suspension was lifted by staff: their own servers may have suspended or deleted them. */
export const refreshUnsuspended = inTransaction([accountUnsuspended], {
  runBatch: async ({ db, enqueue }, _app, lifted) => {
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', 'domain'])
      .where(sql<boolean>`id = any(${lifted.map(({ accountId }) => accountId)}::bigint[])`)
      .where('domain', 'is not', null)
      .where('fetched_at', 'is', null)
      .execute();
    for (const { id: accountId, domain } of accounts) {
      const key = `refresh-account ${accountId}`;
      enqueue(refreshAccount({ accountId }, { key, ...(domain !== null && { host: domain }) }));
    }
  },
});
