import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type pg from 'pg';
import { otpKeys } from './mastodon-rows.ts';

const settingOf = (name: string): string =>
  otpKeys.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';

/** Encrypts a text as ActiveRecord::Encryption does with one of more than 140 bytes. */
function encrypt(text: string): string {
  const [password, salt] = ['PRIMARY_KEY', 'KEY_DERIVATION_SALT'].map((name) =>
    settingOf(`ACTIVE_RECORD_ENCRYPTION_${name}`),
  );
  const key = pbkdf2Sync(password ?? '', salt ?? '', 2 ** 16, 32, 'sha256');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(deflateSync(text)), cipher.final()]);
  const base64 = (bytes: Buffer): string => bytes.toString('base64');
  return JSON.stringify({ p: base64(sealed), h: { iv: base64(iv), at: base64(cipher.getAuthTag()), c: true } });
}

/** Moves the keys of local accounts into their table and empties their ids, as the migrations of Mastodon 4.7 do. */
export async function moveLocalKeys(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ id: string; public_key: string; private_key: string }>(
    `select id::text, public_key, private_key from accounts where domain is null and private_key is not null`,
  );
  for (const [index, row] of rows.entries())
    await client.query(
      `insert into keypairs (id, account_id, uri, local_fragment, type, public_key, private_key, created_at, updated_at)
        values ($1, $2, null, '#main-key', 0, $3, $4, '2024-01-01', '2024-01-01')`,
      [100 + index, row.id, row.public_key, encrypt(row.private_key)],
    );
  await client.query(`update accounts set public_key = '', private_key = null where domain is null`);
  await client.query(`update accounts set uri = null where uri = ''`);
}
