import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { createStorage } from '../../server/platform/storage/create-storage.ts';
import { contentTypeOf } from '../../server/platform/storage/storage-keys.ts';
import { parseConfig } from '../../server/platform/config.ts';

/** A bucket of S3 with files that another software stored. The body of a file is its key. */
export class Bucket implements AsyncDisposable {
  /** Settings of a server that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #service: S3rver;
  readonly #folder: string;

  private constructor(service: S3rver, folder: string, port: number) {
    this.#service = service;
    this.#folder = folder;
    this.settings = {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'moved',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    };
  }

  static async open(keys: readonly string[]): Promise<Bucket> {
    const folder = await mkdtemp(join(tmpdir(), 'ff-bucket-'));
    const service = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      vhostBuckets: false,
      configureBuckets: [{ name: 'moved' }],
    });
    const { port }: AddressInfo = await service.run();
    const bucket = new Bucket(service, folder, port);
    const storage = createStorage(parseConfig({ BASE_URL: 'https://birds.test', ...bucket.settings }));
    for (const key of keys) await storage.put(key, Buffer.from(key), contentTypeOf(key));
    return bucket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
