import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { perApp, type App } from '../platform/app.ts';
import { warnThrottled } from '../platform/temporary-failures.ts';
import type { TokenId } from '../platform/ids.ts';
import { toError } from '../platform/errors.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Folder in DATA_DIR, and the file in it. */
const folderName = 'secrets';
const fileName = 'push-tokens.key';

/** The key of this server once it was read or created. */
const keyOf = perApp((): { key?: Buffer } => ({}));

/**
 * Encrypts an access token with a key that is not in the database: push messages must contain the token, by which apps
 * find the account, but a copy of the database must not. Undefined if the key cannot be read or created.
 */
export async function sealToken(app: App, tokenId: TokenId, token: string): Promise<Buffer | undefined> {
  const key = await findKey(app);
  if (key === undefined) return undefined;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(tokenId));
  return Buffer.concat([nonce, cipher.update(token), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the access token of `sealToken`. Undefined if it was sealed with another key or for another token id. */
export async function openToken(app: App, tokenId: TokenId, sealed: Buffer): Promise<string | undefined> {
  const key = await findKey(app);
  if (key === undefined) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes)).setAAD(Buffer.from(tokenId));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return decipher.update(sealed.subarray(nonceBytes, -tagBytes)).toString() + decipher.final().toString();
  } catch {
    return undefined;
  }
}

async function findKey(app: App): Promise<Buffer | undefined> {
  const held = keyOf(app);
  try {
    return (held.key ??= await readOrCreateKey(join(app.config.dataDir, folderName)));
  } catch (error) {
    warnThrottled(app.log, 'push messages lack access tokens, because their key cannot be read or created', {
      reason: toError(error).message,
    });
    return undefined;
  }
}

/** Reads the key, or creates it. If several processes create it at once, the first one wins. */
async function readOrCreateKey(folder: string): Promise<Buffer> {
  const path = join(folder, fileName);
  const key = await readFile(path).catch(() => createKey(folder, path));
  if (key.length !== keyBytes) throw new Error(`${path} does not have ${keyBytes} bytes`);
  return key;
}

/** Links a complete file to its name, so that no process reads a part of it. */
async function createKey(folder: string, path: string): Promise<Buffer> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(temporary, randomBytes(keyBytes), { mode: 0o600 });
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return await readFile(path);
  } finally {
    await rm(temporary, { force: true });
  }
}
