import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { ApplicationId } from '../../platform/ids.ts';
import { hashSecret } from '../../users/sign-in/index.ts';
import { presentToken } from '../authorize/authorization-codes.ts';
import type { OauthErrorCode } from '../authorize/oauth-errors.ts';
import { insertToken } from '../create-token.ts';
import type { Token } from '../schema.ts';
import { parseScopes } from '../scopes.ts';
import { writable } from '../tables.ts';

/** Seconds that the interval grows each time a device polls too fast (RFC 8628, section 3.5). */
const intervalStepSeconds = 5;
/** A poll may arrive this much too early, because requests take different times. */
const toleranceMs = 1_000;

/** The token, or why there is none (yet). */
export type DeviceCodeResult = { readonly token: Token } | { readonly error: OauthErrorCode };

/**
 * Exchanges a device code for a token, once its user has approved the request. The code is valid once. It is unknown to
 * other apps.
 */
export async function exchangeDeviceCode(
  app: App,
  { applicationId, deviceCode }: { readonly applicationId: ApplicationId; readonly deviceCode: string },
): Promise<DeviceCodeResult> {
  return transaction(app, async (tx) => {
    const request = await tx.db
      .selectFrom('oauth_device_requests')
      .selectAll()
      .where('device_code_hash', '=', hashSecret(deviceCode))
      .where('application_id', '=', applicationId)
      .forUpdate()
      .executeTakeFirst();
    if (request === undefined) return { error: 'invalid_grant' };
    if (request.expires_at <= app.clock.now()) return { error: 'expired_token' };
    const { user_id: userId, approved, device_code_hash: codeHash } = request;
    if (userId === null) return { error: await recordPoll(tx, app, request) };
    if (approved !== true) return { error: 'access_denied' };
    await writable(tx.db).deleteFrom('oauth_device_requests').where('device_code_hash', '=', codeHash).execute();
    const scopes = parseScopes(request.scopes);
    return { token: presentToken(await insertToken(tx, app, { userId, applicationId, scopes }), scopes) };
  });
}

interface PolledRequest {
  readonly device_code_hash: Buffer;
  readonly interval_seconds: number;
  readonly last_polled_at: Date | null;
}

/** Records a poll of a pending request. A device that polls too fast gets a longer interval. */
async function recordPoll(
  { db }: Transaction,
  app: App,
  { device_code_hash, interval_seconds: interval, last_polled_at: last }: PolledRequest,
): Promise<OauthErrorCode> {
  const now = app.clock.now();
  const isTooFast = last !== null && now.getTime() - last.getTime() < interval * 1000 - toleranceMs;
  await writable(db)
    .updateTable('oauth_device_requests')
    .set({ last_polled_at: now, interval_seconds: isTooFast ? interval + intervalStepSeconds : interval })
    .where('device_code_hash', '=', device_code_hash)
    .execute();
  return isTooFast ? 'slow_down' : 'authorization_pending';
}
