import { webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { otpSecretReader } from './encrypted-columns.ts';

const { subtle } = webcrypto;
const base64 = (bytes: Buffer): string => bytes.toString('base64');
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const plain = Buffer.from('12345678901234567890');
const iv = Buffer.from('0102030405060708090a0b0c', 'hex');
const primaryKey = 'YehXdfzxVKpoLvKseJMJIEGs2JxerkB8';
const keyDerivationSalt = 'g7Q66StqUQDQk9SJ81sWbYZXgiRogBwS';

/** Encrypts as Rails does; the tag is at the end. */
async function seal(password: string, text: string) {
  const base = await subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveKey']);
  const salt = Buffer.from(keyDerivationSalt);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 65_536 };
  const key = await subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  return Buffer.from(await subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from(text)));
}

const message = (sealed: Buffer): string =>
  JSON.stringify({ p: base64(sealed.subarray(0, -16)), h: { iv: base64(iv), at: base64(sealed.subarray(-16)) } });

/** What ActiveRecord::Encryption 7.1 made of the secret, with keys derived by SHA-256 and by SHA-1. */
const ofRails = [
  '{"p":"5DEPItTYTeayK0RjoX0x5k8eGXIMfq1Wwo91Nv9jlzo=","h":{"iv":"+UaBdsB+4X9K4z8d","at":"KsUWLydx7rDOyOQL31t65g=="}}',
  '{"p":"GURhLLx3PtBp4fuRyk6YOj2FES5Efh/d+rl3TEIktVg=","h":{"iv":"zYdO4Ej8DV458Upr","at":"gNBMlwfxZP9FsUs09mkJuw=="}}',
];
/** And of the secret eight times, which it compresses. */
const ofRailsCompressed =
  '{"p":"pcn+V7sbsXzU7+OwkREMz3B65K9nvooo493V","h":{"iv":"8L1z8mnfWWVss1Mn","at":"VGO4D9TeMCOpq9tUX/GGnw==","c":true}}';

test('secrets that Rails encrypted are read, whichever digest derived the key', () => {
  const read = otpSecretReader({ primaryKey, keyDerivationSalt });
  for (const otp_secret of ofRails) expect(read({ otp_secret })).toEqual({ secret: plain });
  expect(read({ otp_secret: ofRailsCompressed })).toEqual({ secret: Buffer.concat(Array(8).fill(plain)) });
});

test('secrets that earlier versions encrypted are read', () => {
  // Made by attr_encrypted 3.1.
  const columns = {
    otp_secret: null,
    encrypted_otp_secret: 'e9zSuPDdwW5e0h+x0h6dQ4z8o0sKuEs5FGfb6UU2os0PfBscQ/9L2QcljwQ1\n7Ytb\n',
    encrypted_otp_secret_iv: 'x6kysvgqsrhUEM52\n',
    encrypted_otp_secret_salt: '_Lg66N4Iuhzn7+STXFV4G2Q==\n',
  };
  expect(otpSecretReader({ otpSecret: 'f3a1b9'.repeat(20) })(columns)).toEqual({ secret: plain });
  expect(otpSecretReader({ otpSecret: 'another' })(columns)).toEqual({ problem: 'OTP_SECRET does not fit' });
  expect(otpSecretReader({})(columns)).toEqual({ problem: 'OTP_SECRET is missing' });
});

test('the reason is returned if a secret cannot be read', async () => {
  const keys = { primaryKey, keyDerivationSalt };
  const sealed = await seal('another key', secret);
  const noSecret = await seal(primaryKey, 'no base32!');
  expect(otpSecretReader(keys)({ otp_secret: message(sealed) })).toEqual({
    problem: 'the keys of ACTIVE_RECORD_ENCRYPTION do not fit',
  });
  expect(otpSecretReader({})({ otp_secret: message(sealed) })).toEqual({
    problem: expect.stringContaining('is missing'),
  });
  expect(otpSecretReader(keys)({ otp_secret: message(noSecret) })).toEqual({
    problem: 'it is no secret of an authenticator app',
  });
  for (const damaged of ['{"p":', '{}', '{"p":"","h":{"iv":"","at":""}}', 'null'])
    expect(otpSecretReader(keys)({ otp_secret: damaged })).toEqual({ problem: 'its text is damaged' });
  expect(otpSecretReader(keys)({})).toEqual({ problem: 'there is none' });
});
