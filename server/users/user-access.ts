import { activateAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { userAccessChanged, userApproved } from './events.ts';
import { endOwnerSetup } from './owner-secret.ts';
import { standardRoles, type StandardRole } from './roles.ts';

interface Changes {
  readonly approved?: true;
  readonly disabled?: boolean;
  readonly role?: StandardRole;
}

/** Lets a sign-up in. Doing it twice is the same as doing it once. */
export async function approveUser(app: App, userId: UserId): Promise<void> {
  await changeAccess(app, userId, { approved: true });
}

/** Keeps a user from using the server, or lets them again; acts everywhere within a second. */
export async function disableUser(app: App, userId: UserId, disabled = true): Promise<void> {
  await changeAccess(app, userId, { disabled });
}

/** Gives a user one of the standard roles. */
export async function changeRole(app: App, userId: UserId, role: StandardRole): Promise<void> {
  await changeAccess(app, userId, { role });
}

async function changeAccess(app: App, userId: UserId, { approved, disabled, role }: Changes): Promise<void> {
  await write(app, async (write) => {
    const user = await lockUser(write, userId);
    const { account_id: accountId } = user;
    await write.db
      .updateTable('users')
      .set({
        ...(approved !== undefined && { approved }),
        ...(disabled !== undefined && { disabled }),
        ...(role !== undefined && { role_id: standardRoles[role] }),
        updated_at: app.clock.now(),
      })
      .where('id', '=', userId)
      .execute();
    if (role === 'owner') await endOwnerSetup(write);
    if (disabled === true) await write.db.deleteFrom('sessions').where('user_id', '=', userId).execute();
    if (approved === true && !user.approved) write.emit(userApproved({ userId, accountId }));
    if ((approved ?? user.approved) && user.confirmed_at !== null) await activateAccount(write, app, accountId);
    write.emit(userAccessChanged({ userId, accountId }));
  });
}

function lockUser(
  { db }: Write,
  userId: UserId,
): Promise<{ account_id: AccountId; approved: boolean; confirmed_at: Date | null }> {
  return db
    .selectFrom('users')
    .select(['account_id', 'approved', 'confirmed_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
