import type { Readable } from 'node:stream';

/** Files of the instance by key (`accounts/avatars/…`), on disk or in S3. A key never leaves its root. */
export interface Storage {
  /** Stores a file atomically. The extension of the key must match the content type. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** Stores a copy of the file at `path` atomically, without holding it in memory. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  /** Writes a stored file to `path`, without holding it in memory. Returns false if it does not exist. */
  copyTo(key: string, path: string): Promise<boolean>;
  /** Returns the file, or its bytes from `range.start` to `range.end`, both included. */
  get(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** Returns the file as a stream, for large files. */
  openStream(key: string): Promise<StoredStream | undefined>;
  /** Deletes a file if it exists. */
  delete(key: string): Promise<void>;
  /** Returns the public address of a stored file. */
  url(key: string): string;
  /** Lists files below a folder (`attachments`), or all if it is empty, in a stable order. */
  list(folder: string, from: ListOptions): Promise<ListedFiles>;
  /** Deletes incomplete files that were started before a time. */
  deleteUnfinished(before: Date): Promise<void>;
}

/** Which page of a listing. */
export interface ListOptions {
  /** Only files after this cursor (`ListedFiles.next`). */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of a listing. */
export interface ListedFiles {
  readonly files: readonly { readonly key: string; readonly storedAt: Date; /** Bytes. */ readonly size: number }[];
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** First and last byte, from 0, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored file that is streamed to a client. */
export interface StoredStream {
  readonly stream: Readable;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/** A stored file, or the requested part of it. */
export interface StoredFile {
  readonly body: Buffer;
  readonly contentType: string;
  /** Size of the whole file in bytes. */
  readonly size: number;
}
