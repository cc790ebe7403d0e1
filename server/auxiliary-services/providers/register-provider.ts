import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Type, type Static } from 'typebox';
import { isBlockedDomain } from '../../federation/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import { newId } from '../../platform/ids.ts';
import { isAllowedUrl } from '../../platform/outgoing/allowed-url.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { writable, type ProviderRow } from '../tables.ts';

const generateKeyPairAsync = promisify(generateKeyPair);

const maxNameLength = 200;
const maxUrlLength = 2_000;
/** Older ones make room: whoever registers compares the fingerprint within minutes. */
const maxUnconfirmed = 20;

/** The body of a registration (registration.md of the specification). */
export const registration = Type.Object({
  name: Type.String(),
  baseUrl: Type.String(),
  serverId: Type.String(),
  publicKey: Type.String(),
});

/**
 * Stores the request of a provider to be registered, with a key pair for it. It has no effect until staff confirm it. Throws
 * 422 if a value is invalid.
 */
export async function registerProvider(app: App, input: Static<typeof registration>): Promise<ProviderRow> {
  const values = await parseRegistration(app, input);
  const { privateKey } = await generateKeyPairAsync('ed25519');
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    const row = await writable(db)
      .insertInto('service_providers')
      .values({
        ...values,
        id: newId<'provider'>(now),
        private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await sql`
      delete from service_providers where confirmed_at is null and id in (
        select id from service_providers where confirmed_at is null order by id desc offset ${maxUnconfirmed}::int)`.execute(
      db,
    );
    return row;
  });
}

async function parseRegistration(app: App, { name, baseUrl, serverId, publicKey }: Static<typeof registration>) {
  const trimmedName = name.trim();
  if (trimmedName === '' || trimmedName.length > maxNameLength) throw invalid('name', `1 to ${maxNameLength} letters`);
  // It becomes a quoted parameter of signatures.
  if (!/^[!#-[\]-~]{1,255}$/.test(serverId)) throw invalid('serverId', '1 to 255 printable ASCII characters');
  const key = Buffer.from(publicKey, 'base64');
  if (keyObjectOf(key) === undefined) throw invalid('publicKey', 'an Ed25519 key of 32 bytes in base64');
  return {
    name: trimmedName,
    base_url: await parseBaseUrl(app, baseUrl),
    server_id: serverId,
    public_key: key,
  };
}

async function parseBaseUrl(app: App, text: string): Promise<string> {
  const { config } = app;
  const expected = 'a public https address without query, fragment and credentials';
  if (text.length > maxUrlLength || !isAllowedUrl(config, text)) throw invalid('baseUrl', expected);
  const { host, search, hash, username, password, href } = new URL(text);
  if (`${search}${hash}${username}${password}` !== '') throw invalid('baseUrl', expected);
  if (host === config.webDomain || host === config.domain) throw invalid('baseUrl', 'an address of another server');
  if (await isBlockedDomain(app, host)) throw new HttpError(403, verbatim(`${host} is blocked`));
  return href.replace(/\/+$/, '');
}

const invalid = (field: string, expected: string): HttpError =>
  new HttpError(422, verbatim(`${field} must be ${expected}`));

/** Returns the key object of a raw Ed25519 public key; undefined if it is none. */
export function keyObjectOf(raw: Buffer): KeyObject | undefined {
  if (raw.length !== 32) return undefined;
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Returns the public key, in base64, by which a provider verifies this server. */
export function ownPublicKey({ private_key_pem: pem }: Pick<ProviderRow, 'private_key_pem'>): string {
  const { x = '' } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}
