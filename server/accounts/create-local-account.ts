import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { idFromDate, newId, type AccountId } from '../platform/ids.ts';
import { actorUrls } from './actor-urls.ts';
import { accountActivated, accountChanged } from './events.ts';
import type { ActorType } from './tables.ts';

export interface NewLocalAccount {
  /** Checked by the caller: letters, digits, underscores, free. A race is caught by the unique index. */
  readonly username: string;
  readonly displayName?: string;
  readonly note?: string;
  readonly actorType?: ActorType;
  readonly locked?: boolean;
  readonly discoverable?: boolean;
  /** False until the user is confirmed and approved: nobody sees it before. Default true. */
  readonly activated?: boolean;
  readonly createdAt?: Date;
}

/** Stores an account of this server with its counters; its keys are made when it first signs something. */
export async function createLocalAccount(tx: Transaction, app: App, account: NewLocalAccount): Promise<AccountId> {
  const now = app.clock.now();
  const id = account.createdAt === undefined ? newId<'account'>(now) : idFromDate<'account'>(account.createdAt);
  const { uri, url } = actorUrls(app, account.username);
  await tx.db
    .insertInto('accounts')
    .values({
      id,
      username: account.username,
      uri,
      url,
      actor_type: account.actorType ?? 'Person',
      display_name: account.displayName ?? '',
      note: account.note ?? '',
      locked: account.locked ?? false,
      discoverable: account.discoverable ?? false,
      hide_collections: false,
      activated: account.activated ?? true,
      created_at: account.createdAt ?? now,
      updated_at: now,
    })
    .execute();
  await tx.db.insertInto('account_stats').values({ account_id: id }).execute();
  return id;
}

/** Lets everybody see a local account whose user is confirmed and approved now. Emits `accountActivated` the first time. */
export async function activateAccount(tx: Transaction, app: App, accountId: AccountId): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('accounts')
    .set({ activated: true, updated_at: app.clock.now() })
    .where('id', '=', accountId)
    .where('activated', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  tx.emit(accountActivated({ accountId }));
  tx.emit(accountChanged({ accountId }));
}
