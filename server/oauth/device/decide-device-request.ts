import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { parseScopes } from '../scopes.ts';
import { writable } from '../tables.ts';
import { parseUserCode } from './user-code.ts';

/** A request that waits for a decision. */
export interface DeviceRequest {
  /** Without the hyphen. */
  readonly userCode: string;
  readonly application: { readonly name: string; readonly website: string | null };
  readonly scopes: readonly string[];
}

/**
 * Finds a pending request by its user code, as typed. Undefined if the code is unknown, expired or already decided. The
 * caller limits the attempts.
 */
export async function findDeviceRequest(app: App, typedCode: string): Promise<DeviceRequest | undefined> {
  const userCode = parseUserCode(typedCode);
  if (userCode === undefined) return undefined;
  const row = await app.db
    .selectFrom('oauth_device_requests as request')
    .innerJoin('oauth_applications as application', 'application.id', 'request.application_id')
    .select(['request.scopes', 'application.name', 'application.website'])
    .where('request.user_code', '=', userCode)
    .where('request.user_id', 'is', null)
    .where('request.expires_at', '>', app.clock.now())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, website, scopes } = row;
  return { userCode, application: { name, website }, scopes: parseScopes(scopes) };
}

/**
 * Approves or denies a pending request for a user. Returns false if there is none with this code. No-op if the user decided
 * the same before.
 */
export async function decideDeviceRequest(
  app: App,
  typedCode: string,
  { userId, isApproved }: { readonly userId: UserId; readonly isApproved: boolean },
): Promise<boolean> {
  const userCode = parseUserCode(typedCode);
  if (userCode === undefined) return false;
  return transaction(app, async ({ db }) => {
    const { numUpdatedRows } = await writable(db)
      .updateTable('oauth_device_requests')
      .set({ user_id: userId, approved: isApproved })
      .where('user_code', '=', userCode)
      .where((eb) =>
        eb.or([eb('user_id', 'is', null), eb.and([eb('user_id', '=', userId), eb('approved', '=', isApproved)])]),
      )
      .where('expires_at', '>', app.clock.now())
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}
