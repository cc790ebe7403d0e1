const keyPattern = /^[a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9_-]*)*\.[a-z0-9]{2,5}$/;

/** Returns whether a text is a key: lower-case path segments and one extension. */
export function isStorageKey(key: string): boolean {
  return key.length <= 200 && keyPattern.test(key);
}

/** Content types by the extension of keys. */
const contentTypesByExtension: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  weba: 'audio/webm',
  flac: 'audio/flac',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  csv: 'text/csv',
  zip: 'application/zip',
  tgz: 'application/gzip',
  bin: 'application/octet-stream',
};

/** Returns the content type of a key, by its extension. */
export function contentTypeOf(key: string): string {
  return contentTypesByExtension[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
