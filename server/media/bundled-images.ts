import { readFile } from 'node:fs/promises';

interface BundledImage {
  readonly path: string;
  /** In server/assets. */
  readonly file: string;
  readonly contentType: string;
  /** Seconds. */
  readonly maxAgeSeconds: number;
}

const daySeconds = 86_400;

/** The pictures in server/assets and where they are served. `missing.png` is a name that apps know (clients.md, row 26). */
export const bundledImages: readonly BundledImage[] = [
  {
    path: '/avatars/original/missing.png',
    file: 'avatar.png',
    contentType: 'image/png',
    maxAgeSeconds: 7 * daySeconds,
  },
  {
    path: '/headers/original/missing.png',
    file: 'header.png',
    contentType: 'image/png',
    maxAgeSeconds: 7 * daySeconds,
  },
  { path: '/thumbnail.png', file: 'thumbnail.png', contentType: 'image/png', maxAgeSeconds: daySeconds },
  { path: '/favicon.ico', file: 'favicon.ico', contentType: 'image/vnd.microsoft.icon', maxAgeSeconds: daySeconds },
  { path: '/icon-192.png', file: 'icon-192.png', contentType: 'image/png', maxAgeSeconds: daySeconds },
  { path: '/icon-512.png', file: 'icon-512.png', contentType: 'image/png', maxAgeSeconds: daySeconds },
  { path: '/apple-touch-icon.png', file: 'apple-touch-icon.png', contentType: 'image/png', maxAgeSeconds: daySeconds },
];

const loaded = new Map<string, Promise<Buffer>>();

/** The picture served at `path`, which must be one of `ownPictures`. Read once. */
export function loadBundledImage(path: string): Promise<Buffer> {
  let bytes = loaded.get(path);
  if (bytes === undefined) {
    const picture = bundledImages.find((known) => known.path === path);
    if (picture === undefined) throw new Error(`no picture belongs to ${path}`);
    bytes = readFile(new URL(`../assets/${picture.file}`, import.meta.url));
    loaded.set(path, bytes);
  }
  return bytes;
}
