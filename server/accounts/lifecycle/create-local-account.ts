import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { idFromDate, newId, type AccountId } from '../../platform/ids.ts';
import { newActorUri, profileUrl } from '../actor-urls.ts';
import { accountChanged } from '../events.ts';
import { writable, type ActorType } from '../tables.ts';

export interface NewLocalAccount {
  /** Letters, digits and underscores, not taken: checked by the caller, and by the unique index in a race. */
  readonly username: string;
  readonly displayName?: string;
  readonly note?: string;
  readonly actorType?: ActorType;
  readonly locked?: boolean;
  readonly discoverable?: boolean;
  /** False until the user is confirmed and approved: the account is invisible. Default true. */
  readonly activated?: boolean;
  readonly createdAt?: Date;
}

/** Stores a local account with its counters. Its keys are created when it first signs a request. */
export async function createLocalAccount(tx: Transaction, app: App, account: NewLocalAccount): Promise<AccountId> {
  const now = app.clock.now();
  const id = account.createdAt === undefined ? newId<'account'>(now) : idFromDate<'account'>(account.createdAt);
  await writable(tx.db)
    .insertInto('accounts')
    .values({
      id,
      username: account.username,
      uri: newActorUri(app, account.username),
      url: profileUrl(app, account.username),
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
  await writable(tx.db).insertInto('account_stats').values({ account_id: id }).execute();
  return id;
}

/** Makes a local account visible once its user is confirmed and approved. Idempotent. */
export async function activateAccount(tx: Transaction, app: App, accountId: AccountId): Promise<void> {
  const { numUpdatedRows } = await writable(tx.db)
    .updateTable('accounts')
    .set({ activated: true, updated_at: app.clock.now() })
    .where('id', '=', accountId)
    .where('activated', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  tx.emit(accountChanged({ accountId }));
}
