/**
 * Files that Mastodon stored have names that people chose: with capitals, dots and letters of any script; those of its site are in
 * folders such as `@2x`. Those of GoToSocial are in folders of their accounts, by ULID.
 */
const keyPattern =
  /^(?:[0-9A-HJKMNP-TV-Z]{26}\/)?(?:[a-z0-9@][a-z0-9_-]*\/)*[\p{L}\p{N}_][\p{L}\p{M}\p{N}_()!'.~-]*\.[A-Za-z0-9]{2,5}$/u;

/** Returns whether a text is a key: folders in lower case or of a ULID, and the name of a file with its extension. */
export function isStorageKey(key: string): boolean {
  return Buffer.byteLength(key) <= 300 && keyPattern.test(key);
}

/** Content types by the extension of keys. */
const contentTypesByExtension: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  heif: 'image/heif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  weba: 'audio/webm',
  flac: 'audio/flac',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  '3gp': 'audio/3gpp',
  wma: 'audio/x-ms-wma',
  csv: 'text/csv',
  zip: 'application/zip',
  tgz: 'application/gzip',
  bin: 'application/octet-stream',
};

/** Returns the content type of a key, by its extension. */
export function contentTypeOf(key: string): string {
  return contentTypesByExtension[key.slice(key.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
