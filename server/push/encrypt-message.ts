import { createCipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';

/** The keys of a subscription, with which only its client can decrypt a message. */
export interface ClientKeys {
  /** Public key: an uncompressed point on P-256, 65 bytes. */
  readonly p256dh: Buffer;
  /** Authentication secret, 16 bytes. */
  readonly auth: Buffer;
}

export interface EncryptedMessage {
  readonly body: Buffer;
  /** Headers that the client needs to decrypt the body. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a sender draws at random for each message. */
export interface MessageSecrets {
  readonly keyPair: ECDH;
  /** 16 bytes. */
  readonly salt: Buffer;
}

const curve = 'prime256v1';
const saltBytes = 16;
/** A message is one record; push services accept bodies of up to 4,096 bytes. */
const recordBytes = 4_096;
/** The end of the last record (RFC 8188). */
const lastRecordDelimiter = Buffer.from([2]);
/** Length of the padding, of which there is none (draft-ietf-webpush-encryption-04). */
const noPadding = Buffer.alloc(2);

/** Draws the secrets of one message. */
export function createMessageSecrets(): MessageSecrets {
  const keyPair = createECDH(curve);
  keyPair.generateKeys();
  return { keyPair, salt: randomBytes(saltBytes) };
}

/** Encrypts a push message as aes128gcm (RFC 8291). */
export function encryptMessage(
  text: string,
  { p256dh, auth }: ClientKeys,
  { keyPair, salt } = createMessageSecrets(),
): EncryptedMessage {
  const publicKey = keyPair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]);
  const secret = derive(keyPair.computeSecret(p256dh), { salt: auth, info, bytes: 32 });
  const keys = {
    key: derive(secret, { salt, info: 'Content-Encoding: aes128gcm\0', bytes: 16 }),
    nonce: derive(secret, { salt, info: 'Content-Encoding: nonce\0', bytes: 12 }),
  };
  const header = Buffer.alloc(5);
  header.writeUInt32BE(recordBytes);
  header.writeUInt8(publicKey.length, 4);
  const record = seal([Buffer.from(text), lastRecordDelimiter], keys);
  return { body: Buffer.concat([salt, header, publicKey, record]), headers: { 'content-encoding': 'aes128gcm' } };
}

/** Encrypts a push message as aesgcm (draft-ietf-webpush-encryption-04), which older apps and their relays expect. */
export function encryptLegacyMessage(
  text: string,
  { p256dh, auth }: ClientKeys,
  { keyPair, salt } = createMessageSecrets(),
): EncryptedMessage {
  const publicKey = keyPair.getPublicKey();
  const secret = derive(keyPair.computeSecret(p256dh), { salt: auth, info: 'Content-Encoding: auth\0', bytes: 32 });
  const context = Buffer.concat([Buffer.from('P-256\0'), withLength(p256dh), withLength(publicKey)]);
  const info = (name: string): Buffer => Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), context]);
  const keys = {
    key: derive(secret, { salt, info: info('aesgcm'), bytes: 16 }),
    nonce: derive(secret, { salt, info: info('nonce'), bytes: 12 }),
  };
  return {
    body: seal([noPadding, Buffer.from(text)], keys),
    headers: {
      'content-encoding': 'aesgcm',
      encryption: `salt=${salt.toString('base64url')}`,
      'crypto-key': `dh=${publicKey.toString('base64url')}`,
    },
  };
}

function derive(
  secret: Buffer,
  { salt, info, bytes }: { readonly salt: Buffer; readonly info: string | Buffer; readonly bytes: number },
): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}

function seal(parts: readonly Buffer[], { key, nonce }: { readonly key: Buffer; readonly nonce: Buffer }): Buffer {
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  return Buffer.concat([...parts.map((part) => cipher.update(part)), cipher.final(), cipher.getAuthTag()]);
}

function withLength(key: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(key.length);
  return Buffer.concat([length, key]);
}
