import type { Config } from '../config.ts';
import { MovingStorage } from './moving-storage.ts';
import { S3Storage } from './storage-s3.ts';
import { createDiskStorage } from './storage-disk.ts';
import type { Storage } from './storage.ts';

/** Creates the configured storage: a bucket if S3_BUCKET is set, otherwise DATA_DIR/media, or both while files move. */
export function createStorage(config: Config): Storage {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, MEDIA_MOVE: move } = config;
  if (bucket === undefined && endpoint === undefined) return createDiskStorage(config);
  if (move === undefined) return createBucket(config, config.S3_PUBLIC_URL?.replace(/\/$/, ''));
  // The bucket is not complete, so the server sends the files.
  const [disk, inBucket] = [createDiskStorage(config), createBucket(config, undefined)];
  return move === 'to-bucket' ? new MovingStorage(disk, inBucket) : new MovingStorage(inBucket, disk);
}

function createBucket(config: Config, publicUrl: string | undefined): Storage {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = config;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (bucket === undefined || endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error('the S3 settings are incomplete');
  }
  const address = publicUrl ?? `${config.baseUrl}/media`;
  return new S3Storage({ endpoint, bucket, region, accessKeyId, secretAccessKey, address });
}
