import type { App } from '../platform/app.ts';
import type { AccountId, ApplicationId, UserId } from '../platform/ids.ts';

/** The facts about a user that other domains need. */
export interface UserSummary {
  readonly accountId: AccountId;
  readonly email: string;
  readonly locale: string;
  readonly isConfirmed: boolean;
  readonly isApproved: boolean;
  readonly isDisabled: boolean;
  readonly createdByApplicationId: ApplicationId | null;
}

/** Loads the user with this id. Throws if there is none. */
export async function loadUser(app: App, userId: UserId): Promise<UserSummary> {
  const row = await app.db
    .selectFrom('users')
    .select(['account_id', 'email', 'locale', 'confirmed_at', 'approved', 'disabled', 'created_by_application_id'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    accountId: row.account_id,
    email: row.email,
    locale: row.locale,
    isConfirmed: row.confirmed_at !== null,
    isApproved: row.approved,
    isDisabled: row.disabled,
    createdByApplicationId: row.created_by_application_id,
  };
}
