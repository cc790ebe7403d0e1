import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scrypt,
  type BinaryLike,
  type DecipherGCM,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError, damaged } from '../backup-error.ts';
import { splitFrames, type Bytes } from './split-stream.ts';

/**
 * An encrypted backup is this text, the salt, and frames of AES-256-GCM. The key is derived from the passphrase, and
 * new for each backup because of the salt, so the nonce of a frame is its number. The last byte of the nonce marks the
 * last frame, so that a backup that was cut between two frames cannot be decrypted.
 */
const magic = Buffer.from('fieldfare-encrypted-backup-1\n');
const saltBytes = 16;
const frameBytes = 65_536;
const tagBytes = 16;
const algorithm = 'aes-256-gcm' as const;
/** Takes about half a second and 128 MB. */
const cost: ScryptOptions = { N: 131_072, r: 8, p: 1, maxmem: 160 * 1024 ** 2 };

export const encryptionHeaderBytes = magic.length + saltBytes;

/** Whether a backup that starts with these bytes is encrypted. */
export const isEncrypted = (start: Buffer): boolean => start.subarray(0, magic.length).equals(magic);

/** Encrypts a stream. */
export async function* encrypt(source: Bytes, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  yield Buffer.concat([magic, salt]);
  const key = await deriveKey(passphrase, salt);
  let number = 0;
  for await (const { bytes, isLast } of splitFrames(source, frameBytes)) {
    const cipher = createCipheriv(algorithm, key, frameNonce(number, isLast));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/** Decrypts what follows `header`. Throws BackupError if the passphrase is wrong or a byte was changed. */
export async function* decrypt(source: Bytes, header: Buffer, passphrase: string): AsyncGenerator<Buffer> {
  const key = await deriveKey(passphrase, header.subarray(magic.length));
  let number = 0;
  for await (const { bytes, isLast } of splitFrames(source, frameBytes + tagBytes)) {
    const decipher = createDecipheriv(algorithm, key, frameNonce(number, isLast), { authTagLength: tagBytes });
    yield openFrame(decipher, bytes, number);
    number += 1;
  }
}

function openFrame(decipher: DecipherGCM, frame: Buffer, number: number): Buffer {
  const end = frame.length - tagBytes;
  if (end < 0) throw damaged('it ends in the middle of a frame');
  try {
    decipher.setAuthTag(frame.subarray(end));
    return Buffer.concat([decipher.update(frame.subarray(0, end)), decipher.final()]);
  } catch {
    if (number === 0) throw new BackupError('The passphrase is wrong, or the start of the backup is damaged.');
    throw damaged('a frame cannot be decrypted');
  }
}

function frameNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 0);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

const deriveKey = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)(passphrase.normalize('NFC'), salt, 32, cost);
