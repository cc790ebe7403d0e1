import { createWriteStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3mini } from 's3mini';
import { contentTypeOf, isStorageKey } from './storage-keys.ts';
import type { ByteRange, ListedFiles, ListOptions, Storage, StoredFile, StoredStream } from './storage.ts';
import { toError } from '../errors.ts';

/** Address and credentials of a bucket. */
export interface S3Config {
  /** Address of the service, without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** URL of the keys, without a trailing slash. */
  readonly address: string;
}

/** Timeout of one request, which has at most 8 MB of a file. They take a while on a slow line. */
const requestTimeoutMs = 120_000;
const maxDateMs = 8_640_000_000_000_000;

/** Stores files in a bucket of an S3-compatible service, addressed by path. */
export class S3Storage implements Storage {
  readonly #config: S3Config;
  #client: Promise<S3mini> | undefined;

  constructor(place: S3Config) {
    this.#config = place;
  }

  async put(key: string, body: Buffer, contentType: string): Promise<void> {
    assertStorable(key, contentType);
    const client = await this.#connect();
    await client.putObject(key, body, contentType);
  }

  /** Sends a large file in parts, each of which is repeated if it fails. */
  async putFile(key: string, path: string, contentType: string): Promise<void> {
    assertStorable(key, contentType);
    const client = await this.#connect();
    const { headers } = await client.putAnyObject(key, await openAsBlob(path), contentType);
    // A service that fails to put the parts together may answer with 200.
    if (!headers.get('etag')) throw new Error(`the bucket did not store ${key}`);
  }

  async get(key: string, range?: ByteRange): Promise<StoredFile | undefined> {
    if (!isStorageKey(key)) return undefined;
    const client = await this.#connect();
    return undefinedIfNotFound(async () => {
      if (range === undefined) {
        const body = await readBuffer(await client.getObjectRaw(key));
        return { body, contentType: contentTypeOf(key), size: body.length };
      }
      const size = await fetchSize(client, key);
      const end = Math.min(range.end, size - 1);
      if (end < range.start) return { body: Buffer.alloc(0), contentType: contentTypeOf(key), size };
      // The library excludes the end of a range.
      const body = await readBuffer(await client.getObjectRaw(key, false, range.start, end + 1));
      return { body, contentType: contentTypeOf(key), size };
    });
  }

  async openStream(key: string): Promise<StoredStream | undefined> {
    if (!isStorageKey(key)) return undefined;
    const client = await this.#connect();
    const response = await undefinedIfNotFound(() => client.getObjectRaw(key));
    if (response?.body == null) return undefined;
    const size = Number(response.headers.get('content-length'));
    return { stream: Readable.fromWeb(response.body), contentType: contentTypeOf(key), size };
  }

  async copyTo(key: string, path: string): Promise<boolean> {
    const file = await this.openStream(key);
    if (file === undefined) return false;
    await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }));
    return true;
  }

  async delete(key: string): Promise<void> {
    assertStorageKey(key);
    const client = await this.#connect();
    await undefinedIfNotFound(() => client.deleteObject(key));
  }

  async list(folder: string, { after, limit }: ListOptions): Promise<ListedFiles> {
    const { bucket } = this.#config;
    const client = await this.#open('');
    const options = after === undefined ? {} : { 'start-after': after };
    // The library's delimiter is the request path. From the bucket's own address it would request `/bucket//`, which
    // some services reject.
    const page = await client.listObjectsPaged(bucket, folder === '' ? '' : `${folder}/`, limit, undefined, options);
    const found = page?.objects ?? [];
    // Files without a time of storage count as new.
    const files = found
      .filter(({ Key }) => isStorageKey(Key))
      .map(({ Key, LastModified, Size }) => ({
        key: Key,
        size: Size,
        storedAt: LastModified.getTime() > 0 ? LastModified : new Date(maxDateMs),
      }));
    return { files, next: found.length < limit ? undefined : found.at(-1)?.Key };
  }

  /** A bucket lists complete files only. Parts that a killed process left are deleted by a rule of the bucket. */
  async deleteUnfinished(): Promise<void> {}

  url(key: string): string {
    return `${this.#config.address}/${encodeURI(key)}`;
  }

  #connect(): Promise<S3mini> {
    this.#client ??= this.#open(`/${this.#config.bucket}`);
    return this.#client;
  }

  /** Creates a client for `path` of the service. */
  async #open(path: string): Promise<S3mini> {
    const { S3mini } = await import('s3mini');
    const { endpoint, region, accessKeyId, secretAccessKey } = this.#config;
    return new S3mini({
      endpoint: `${endpoint.replace(/\/$/, '')}${path}`,
      region,
      accessKeyId,
      secretAccessKey,
      requestAbortTimeout: requestTimeoutMs,
    });
  }
}

function assertStorageKey(key: string): void {
  if (!isStorageKey(key)) throw new Error(`${JSON.stringify(key)} is not a storage key`);
}

function assertStorable(key: string, contentType: string): void {
  if (contentTypeOf(key) !== contentType) throw new Error(`${contentType} does not go under the key ${key}`);
  assertStorageKey(key);
}

const readBuffer = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

/** Throws as the service does, so that a missing file differs from an unreachable one. */
async function fetchSize(client: S3mini, key: string): Promise<number> {
  try {
    return await client.getContentLength(key);
  } catch (error) {
    throw toError(error).cause ?? error;
  }
}

async function undefinedIfNotFound<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await request();
  } catch (error) {
    if (toError(error).status === 404) return undefined;
    throw error;
  }
}
