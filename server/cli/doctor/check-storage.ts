import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../platform/app.ts';
import { toError } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Finding } from './finding.ts';

const subject = 'storage';
/** For all requests of a check. A server waits longer, because files may be large. */
const timeoutMs = 10_000;

/** Writes, reads and deletes a file in the folder or bucket of media. */
export async function checkStorage({ storage, config }: Pick<App, 'storage' | 'config'>): Promise<Finding[]> {
  const fix =
    config.S3_BUCKET === undefined
      ? `Let the user that runs Fieldfare write to ${config.dataDir}/media, and check the disk.`
      : 'Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the access key, which must be allowed to write, read and delete.';
  try {
    const isUnchanged = await Promise.race([tryStorage(storage), pause(timeoutMs, undefined, { ref: false })]);
    if (isUnchanged === true) return [{ subject, state: 'ok', detail: 'files can be written, read and deleted' }];
    const detail =
      isUnchanged === undefined
        ? `no answer after ${timeoutMs / 1_000} s while a file was written, read and deleted`
        : 'a file changed while it was stored';
    return [{ subject, state: 'fail', detail, fix }];
  } catch (error) {
    return [{ subject, state: 'fail', detail: toError(error).message, fix }];
  }
}

/** Returns whether a file is stored unchanged. */
async function tryStorage(storage: Storage): Promise<boolean> {
  const key = `doctor/${randomUUID()}.csv`;
  const body = Buffer.from('written by fieldfare doctor');
  await storage.put(key, body, 'text/csv');
  const stored = await storage.get(key);
  await storage.delete(key);
  return stored?.body.equals(body) === true;
}

/** Random keys protect files of private posts and archives of accounts. A public listing would disclose them. */
export async function checkPublicBucket({ config }: Pick<App, 'config'>): Promise<Finding[]> {
  const { S3_PUBLIC_URL: address } = config;
  if (address === undefined) return [];
  const listed = new URL(`${address.replace(/\/$/, '')}/?list-type=2&max-keys=1`);
  try {
    const response = await fetch(listed, { signal: AbortSignal.timeout(timeoutMs) });
    const body = await response.text();
    if (response.status >= 500) throw new Error(`it responds with ${response.status}`);
    if (!body.includes('<ListBucketResult'))
      return [{ subject, state: 'ok', detail: 'strangers cannot list the bucket' }];
    return [
      {
        subject,
        state: 'fail',
        detail:
          'everyone can list the bucket at S3_PUBLIC_URL, and so read files of private posts and archives of accounts',
        fix: 'Allow the public to read objects (s3:GetObject), but not to list them (s3:ListBucket).',
      },
    ];
  } catch (error) {
    return [
      {
        subject,
        state: 'warn',
        detail: `S3_PUBLIC_URL cannot be reached: ${toError(error).message}`,
        fix: 'Check the address. Apps load media from it.',
      },
    ];
  }
}
