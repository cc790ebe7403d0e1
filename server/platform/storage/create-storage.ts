import type { Config } from '../config.ts';
import { S3Storage } from './storage-s3.ts';
import { createDiskStorage } from './storage-disk.ts';
import type { Storage } from './storage.ts';

/** Creates the configured storage: a bucket if S3_BUCKET is set, otherwise DATA_DIR/media. */
export function createStorage(config: Config): Storage {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint } = config;
  if (bucket === undefined && endpoint === undefined) return createDiskStorage(config);
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_REGION: region } = config;
  if (bucket === undefined || endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error('the S3 settings are incomplete');
  }
  const address = config.S3_PUBLIC_URL?.replace(/\/$/, '') ?? `${config.baseUrl}/media`;
  return new S3Storage({ endpoint, bucket, region, accessKeyId, secretAccessKey, address });
}
