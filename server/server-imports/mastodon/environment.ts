import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { toError } from '../../platform/errors.ts';
import { ServerImportError } from '../server-import-error.ts';
import type { ColumnKeys } from './encrypted-columns.ts';

/** What the settings of a Mastodon say about its instance. */
export interface MastodonEnvironment {
  /** Domain of handles. */
  readonly localDomain: string;
  /** Host of the pages. */
  readonly webDomain: string;
  /** The keys of Web Push, as URL-safe base64 without padding; undefined: none. */
  readonly vapid: { readonly publicKey: string; readonly privateKey: string } | undefined;
  /** All settings by name. */
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** Reads `.env.production`. Throws ServerImportError with the setting that is missing or wrong. */
export async function readMastodonEnvironment(path: string): Promise<MastodonEnvironment> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ServerImportError(`--env: ${path} cannot be read (${toError(error).message}).`);
  });
  const values = parseEnv(text);
  const localDomain = values['LOCAL_DOMAIN'];
  if (localDomain === undefined || localDomain === '') throw new ServerImportError(`${path} has no LOCAL_DOMAIN.`);
  return {
    localDomain: localDomain.toLowerCase(),
    webDomain: (values['WEB_DOMAIN'] || localDomain).toLowerCase(),
    vapid: parseVapid(values, path),
    values,
  };
}

/** Returns the keys with which columns are encrypted. */
export const columnKeysOf = ({ values }: MastodonEnvironment): ColumnKeys => ({
  otpSecret: values['OTP_SECRET'],
  primaryKey: values['ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY'],
  keyDerivationSalt: values['ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT'],
});

function parseVapid(values: Record<string, string | undefined>, path: string): MastodonEnvironment['vapid'] {
  const { VAPID_PUBLIC_KEY: publicText = '', VAPID_PRIVATE_KEY: privateText = '' } = values;
  if (publicText === '' && privateText === '') return undefined;
  // Ruby writes both alphabets of base64.
  const [publicKey, privateKey] = [Buffer.from(publicText, 'base64'), Buffer.from(privateText, 'base64')];
  if (publicKey.length !== 65 || privateKey.length !== 32)
    throw new ServerImportError(
      `VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY of ${path} are not a key pair. Without them, leave both empty.`,
    );
  return { publicKey: publicKey.toString('base64url'), privateKey: privateKey.toString('base64url') };
}
