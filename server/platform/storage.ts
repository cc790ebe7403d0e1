/** Files of the instance by key (`accounts/avatars/…`), on disk or in S3. A key never leaves its root. */
export interface Storage {
  /** Stores a file whole, or not at all. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  get(key: string): Promise<{ body: Buffer; contentType: string } | undefined>;
  delete(key: string): Promise<void>;
  /** Public address of a stored file. */
  url(key: string): string;
}
