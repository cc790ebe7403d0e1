import type { App } from '../../platform/app.ts';
import type { Id, UserId } from '../../platform/ids.ts';

export type PasskeyId = Id<'passkey'>;

/** Maximum number of passkeys of a user. */
export const maxPasskeys = 20;

/** A passkey as its user sees it. */
export interface Passkey {
  readonly id: PasskeyId;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Lists the passkeys of a user, the oldest first. */
export const listPasskeys = ({ db }: Pick<App, 'db'>, userId: UserId): Promise<Passkey[]> =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(maxPasskeys)
    .execute();

/** A passkey as browsers are asked for it. */
export interface CredentialDescriptor {
  readonly type: 'public-key';
  /** In base64url. */
  readonly id: string;
  readonly transports: string[];
}

/** Lists the passkeys of a user for the browser. */
export async function listCredentials({ db }: Pick<App, 'db'>, userId: UserId): Promise<CredentialDescriptor[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(maxPasskeys)
    .execute();
  return rows.map(({ credential_id, transports }) => ({
    type: 'public-key',
    id: credential_id.toString('base64url'),
    transports,
  }));
}
