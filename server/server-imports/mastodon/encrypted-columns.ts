import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** The keys of Mastodon's environment with which it encrypts columns. */
export interface ColumnKeys {
  /** OTP_SECRET: Mastodon up to 4.2. */
  readonly otpSecret?: string | undefined;
  /** ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY: Mastodon 4.3 and later. */
  readonly primaryKey?: string | undefined;
  /** ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT. */
  readonly keyDerivationSalt?: string | undefined;
}

/** The columns of Mastodon's users that have the secret of an authenticator app; those of other versions are left out. */
export interface OtpColumns {
  readonly otp_secret?: string | null;
  readonly encrypted_otp_secret?: string | null;
  readonly encrypted_otp_secret_iv?: string | null;
  readonly encrypted_otp_secret_salt?: string | null;
}

/** The secret of an authenticator app, or why it could not be read. */
export type OtpSecret = { readonly secret: Buffer } | { readonly problem: string };

/**
 * Returns a function that decrypts the secrets of authenticator apps. Mastodon 4.3 and later uses the encryption of Rails,
 * earlier versions that of the library attr_encrypted, whose columns later ones still read.
 */
export function otpSecretReader(keys: ColumnKeys): (columns: OtpColumns) => OtpSecret {
  const railsKeys = deriveRailsKeys(keys);
  return (columns) =>
    orProblem(() => {
      const text = columns.otp_secret ? readRails(columns.otp_secret, railsKeys) : readLegacy(columns, keys.otpSecret);
      return { secret: parseBase32(text) };
    });
}

/** A decrypted text, or why it could not be read. */
export type ColumnText = { readonly text: string } | { readonly problem: string };

/** Returns a function that decrypts a column that Rails encrypted. */
export function columnReader(keys: ColumnKeys): (stored: string) => ColumnText {
  const railsKeys = deriveRailsKeys(keys);
  return (stored) => orProblem(() => ({ text: readRails(stored, railsKeys) }));
}

function orProblem<Result>(read: () => Result): Result | { readonly problem: string } {
  try {
    return read();
  } catch (error) {
    return { problem: error instanceof ColumnError ? error.message : 'its text is damaged' };
  }
}

/** A value that cannot be decrypted, with the reason in words. */
class ColumnError extends Error {}

const tagBytes = 16;
const keyBytes = 32;

function decrypt(key: Buffer, iv: Buffer, tag: Buffer, body: Buffer): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Rails derives the key by SHA-256 since 7.1, and by SHA-1 before. */
function deriveRailsKeys({ primaryKey, keyDerivationSalt }: ColumnKeys): readonly Buffer[] {
  if (!primaryKey || !keyDerivationSalt) return [];
  return ['sha256', 'sha1'].map((digest) => pbkdf2Sync(primaryKey, keyDerivationSalt, 2 ** 16, keyBytes, digest));
}

const railsMessage = Type.Object({
  p: Type.String(),
  // Of 12 and 16 bytes.
  h: Type.Object({
    iv: Type.String({ minLength: 16 }),
    at: Type.String({ minLength: 24 }),
    c: Type.Optional(Type.Boolean()),
  }),
});

/** Decrypts a message of ActiveRecord::Encryption: JSON with the payload `p` and headers `h` in base64. */
function readRails(stored: string, keys: readonly Buffer[]): string {
  if (keys.length === 0)
    throw new ColumnError('ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY or …_KEY_DERIVATION_SALT is missing');
  const message: unknown = JSON.parse(stored);
  if (!Value.Check(railsMessage, message)) throw new ColumnError('its text is damaged');
  const { iv, at: tag, c: isCompressed } = message.h;
  for (const key of keys) {
    const plain = decrypt(key, Buffer.from(iv, 'base64'), Buffer.from(tag, 'base64'), Buffer.from(message.p, 'base64'));
    if (plain !== undefined) return (isCompressed === true ? inflateSync(plain) : plain).toString();
  }
  throw new ColumnError('the keys of ACTIVE_RECORD_ENCRYPTION do not fit');
}

/** Decrypts what attr_encrypted stored: the tag follows the text, and the key is derived from a salt of the row. */
function readLegacy(columns: OtpColumns, otpSecret: string | undefined): string {
  const { encrypted_otp_secret: stored, encrypted_otp_secret_iv: iv, encrypted_otp_secret_salt: salt } = columns;
  if (!stored || !iv || !salt) throw new ColumnError('there is none');
  if (!otpSecret) throw new ColumnError('OTP_SECRET is missing');
  const sealed = Buffer.from(stored, 'base64');
  // The library marks base64 by an underscore.
  const key = pbkdf2Sync(otpSecret, Buffer.from(salt.replace(/^_/, ''), 'base64'), 2000, keyBytes, 'sha1');
  const tag = sealed.subarray(-tagBytes);
  const plain = decrypt(key, Buffer.from(iv, 'base64'), tag, sealed.subarray(0, -tagBytes));
  if (plain === undefined) throw new ColumnError('OTP_SECRET does not fit');
  return plain.toString();
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Parses base32 (RFC 4648) without regard to case, spaces and padding. */
function parseBase32(text: string): Buffer {
  const letters = [...text.toUpperCase().replaceAll(/[\s=-]/g, '')].map((letter) => alphabet.indexOf(letter));
  if (letters.length < 16 || letters.includes(-1)) throw new ColumnError('it is no secret of an authenticator app');
  const bits = letters.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
