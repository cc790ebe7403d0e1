import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { ApplicationId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../users/sign-in/index.ts';
import { writable } from '../tables.ts';
import { newUserCode } from './user-code.ts';

/** Lifetime of both codes. */
export const deviceCodeTtlSeconds = 900;
/** Minimum seconds between two polls, until the device polls too fast. */
export const pollIntervalSeconds = 5;

/** The codes of a new device authorization request. */
export interface DeviceCodes {
  /** The secret with which the device polls. Only its hash is stored. */
  readonly deviceCode: string;
  /** The code that the user enters, without the hyphen. */
  readonly userCode: string;
}

/** Stores a request of a device for these scopes, and returns its codes. */
export async function requestDeviceCode(
  app: App,
  { applicationId, scopes }: { readonly applicationId: ApplicationId; readonly scopes: readonly string[] },
): Promise<DeviceCodes> {
  const deviceCode = newSecret();
  for (;;) {
    const userCode = newUserCode();
    const isStored = await transaction(app, async ({ db }) => {
      const { numInsertedOrUpdatedRows } = await writable(db)
        .insertInto('oauth_device_requests')
        .values({
          device_code_hash: hashSecret(deviceCode),
          user_code: userCode,
          application_id: applicationId,
          scopes: scopes.join(' '),
          interval_seconds: pollIntervalSeconds,
          expires_at: new Date(app.clock.now().getTime() + deviceCodeTtlSeconds * 1000),
        })
        .onConflict((conflict) => conflict.column('user_code').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    });
    if (isStored) return { deviceCode, userCode };
  }
}

/** Deletes requests an hour after they expired; until then, their devices learn that they did. */
export async function cleanUpDeviceRequests(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - 3_600_000);
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('oauth_device_requests').where('expires_at', '<', before).execute();
  });
}
