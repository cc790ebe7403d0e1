import type { Readable } from 'node:stream';

/** Files of the instance by key (`accounts/avatars/…`), on disk or in S3. A key never leaves its root. */
export interface Storage {
  /** Stores a file whole, or not at all. The key's extension must be the usual one of the content type. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** Stores a copy of the file at `path` in the same way, without holding it in memory. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  /** Writes a stored file to `path`, without holding it in memory. False when there is none. */
  copyTo(key: string, path: string): Promise<boolean>;
  /** The file, or the bytes of it from `range.start` to `range.end`, both included, as far as there are any. */
  get(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** The file as a stream, for those too large to hold. */
  openStream(key: string): Promise<StoredStream | undefined>;
  /** Deletes a file; one that is not there is no error. */
  delete(key: string): Promise<void>;
  /** Public address of a stored file. */
  url(key: string): string;
  /** The next files below a folder (`attachments`), in an order of the storage's own that never changes. */
  list(folder: string, from: ListOptions): Promise<ListedFiles>;
  /** Removes what is left of files that could not be stored to their end, begun before a moment. */
  deleteUnfinished(before: Date): Promise<void>;
}

/** Which page of a listing. */
export interface ListOptions {
  /** Only what comes after this place (`ListedFiles.next`). */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of a listing. */
export interface ListedFiles {
  readonly files: readonly { readonly key: string; readonly storedAt: Date }[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

/** Places of bytes, from 0, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored file that is read while it is sent. */
export interface StoredStream {
  readonly stream: Readable;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/** A stored file, or the bytes of it that were asked for. */
export interface StoredFile {
  readonly body: Buffer;
  readonly contentType: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
}
