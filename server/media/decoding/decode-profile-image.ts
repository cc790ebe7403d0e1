import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp, SharpOptions } from 'sharp';
import { mostHeifPixels, mostPixels } from '../limits.ts';
import { contentTypeOfFile } from './image-formats.ts';
import { imageLibrary } from './image-library.ts';
import {
  Refused,
  type DecodedProfileImage,
  type MadeFile,
  type ProfileImageKind,
  type ProfileImageTask,
} from './tasks.ts';

const mostFrames = 600;
/** For one decoding or encoding. */
const mostSeconds = 15;
const avatarSide = 400;
/** A header is scaled to the area of 1500 by 500, whatever its shape. */
const headerArea = 750_000;

/** The formats that are read, and the ones that they are stored in. */
const storedFormats = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'webp',
} as const;

type Source = keyof typeof storedFormats;
type Format = (typeof storedFormats)[Source];

const extensions = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp' } as const;

/** Makes an image an avatar or a header: upright, without metadata, in sRGB; one that moves gets a still version too. */
export async function decodeProfileImage({ path, folder, kind }: ProfileImageTask): Promise<DecodedProfileImage> {
  const source = await contentTypeOfFile(path);
  if (!(source in storedFormats)) throw new Refused('must be a JPEG, PNG, GIF, WebP or AVIF image');
  const format = storedFormats[source as Source];
  const open = await opener(path, source === 'image/avif' ? mostHeifPixels : mostPixels);
  const { width, height, pageHeight, pages = 1 } = await open({ pages: 1 }).metadata();
  const frame = { width, height: pageHeight ?? height };
  const moves = pages > 1 && (format === 'gif' || format === 'webp');
  if (moves && (pages > mostFrames || frame.width * frame.height * pages > mostPixels)) {
    throw new Refused('has too many or too large frames');
  }
  const stillFormat = format === 'gif' ? 'png' : format;
  const still = await encode(fit(open({ pages: 1 }).autoOrient(), kind, frame), stillFormat, join(folder, 'still'));
  if (!moves) return { file: still, still: undefined };
  // Enlarging a few hundred frames would cost more than it shows.
  const side = Math.min(avatarSide, frame.width, frame.height);
  const moving = fit(open({ animated: true }), kind, frame, side);
  return { file: await encode(moving, format, join(folder, 'moving')), still };
}

async function opener(path: string, limitInputPixels: number): Promise<(options: SharpOptions) => Sharp> {
  const sharp = await imageLibrary();
  const body = await readFile(path);
  return (options) =>
    sharp(body, { limitInputPixels, limitInputChannels: 5, sequentialRead: true, failOn: 'error', ...options });
}

function fit(image: Sharp, kind: ProfileImageKind, frame: { width: number; height: number }, side = avatarSide): Sharp {
  const bounded = image.timeout({ seconds: mostSeconds });
  if (kind === 'avatar') return bounded.resize(side, side, { fit: 'cover' });
  const scale = Math.min(1, Math.sqrt(headerArea / (frame.width * frame.height)));
  // The longer side may lie either way once the image is upright.
  const longest = Math.max(1, Math.floor(Math.max(frame.width, frame.height) * scale));
  return bounded.resize(longest, longest, { fit: 'inside', withoutEnlargement: true });
}

/** Writes an image into a file; `stem` is its path without the extension. */
async function encode(image: Sharp, format: Format, stem: string): Promise<MadeFile> {
  const path = `${stem}.${extensions[format]}`;
  await encoder(image, format).toFile(path);
  return { path, contentType: `image/${format}` };
}

function encoder(image: Sharp, format: Format): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 88 });
    case 'png':
      return image.png({ compressionLevel: 8 });
    case 'gif':
      return image.gif({ effort: 3 });
    case 'webp':
      return image.webp({ quality: 85, effort: 3 });
  }
}
