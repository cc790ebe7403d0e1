import { createHash, type Hash } from 'node:crypto';
import { packTar } from 'modern-tar';
import { damaged } from '../backup-error.ts';
import { holdBack, type Bytes } from './split-stream.ts';

/** The last entry: SHA-256 of everything before it, in hexadecimal. */
export const digestEntry = 'sha256';
/** The end of a tar archive: two blocks of zeros. */
const endOfTarBytes = 1024;
/** Header and content of the last entry, a block each, and the end of the archive. */
const tailBytes = 2 * 512 + endOfTarBytes;

/** Replaces the end of a tar archive by an entry with its digest, so that a change of any byte is noticed. */
export async function* appendDigest(tar: Bytes): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const content = holdBack(tar, endOfTarBytes);
  for (let next = await content.next(); next.done !== true; next = await content.next()) {
    hash.update(next.value);
    yield next.value;
  }
  yield await buildTail(hash);
}

/** Passes a tar archive through. Throws BackupError at its end if it differs from its digest. */
export async function* checkDigest(tar: Bytes): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const content = holdBack(tar, tailBytes);
  let next = await content.next();
  for (; next.done !== true; next = await content.next()) {
    hash.update(next.value);
    yield next.value;
  }
  // The whole end follows from the digest, so that no byte of it can differ either.
  if (!next.value.equals(await buildTail(hash))) throw damaged('its content does not match its checksum');
  yield next.value;
}

async function buildTail(hash: Hash): Promise<Buffer> {
  const body = `${hash.digest('hex')}\n`;
  const header = { name: digestEntry, size: body.length, type: 'file', mode: 0o600, mtime: new Date(0) } as const;
  return Buffer.from(await packTar([{ header, body }]));
}
