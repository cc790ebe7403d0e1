import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp, SharpOptions } from 'sharp';
import { maxHeifPixels, maxPixels } from '../limits.ts';
import { detectContentType } from './image-formats.ts';
import { loadSharp } from './load-sharp.ts';
import {
  Refused,
  type DecodedProfileImage,
  type OutputFile,
  type ProfileImageKind,
  type ProfileImageTask,
} from './tasks.ts';
import { isNameOf } from '../../platform/known-names.ts';

const maxFrames = 600;
/** Timeout of one decoding or encoding. */
const decodeTimeoutSeconds = 15;
const maxAvatarSide = 400;
/** A header is scaled to the area of 1500 by 500 pixels, whatever its aspect ratio. */
const maxHeaderPixels = 750_000;

/** Supported formats, and the formats that they are stored in. */
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

/** Creates an avatar or a header: upright, without metadata, in sRGB. An animated one gets a static version too. */
export async function decodeProfileImage({ path, folder, kind }: ProfileImageTask): Promise<DecodedProfileImage> {
  const source = await detectContentType(path);
  if (!isNameOf(storedFormats, source)) throw new Refused('problems.notProfileImage');
  const format = storedFormats[source];
  const open = await createOpener(path, source === 'image/avif' ? maxHeifPixels : maxPixels);
  const { width, height, pageHeight, pages = 1 } = await open({ pages: 1 }).metadata();
  const frame = { width, height: pageHeight ?? height };
  const moves = pages > 1 && (format === 'gif' || format === 'webp');
  if (moves && (pages > maxFrames || frame.width * frame.height * pages > maxPixels)) {
    throw new Refused('problems.tooManyFrames');
  }
  const stillFormat = format === 'gif' ? 'png' : format;
  const still = await encodeProfileImage(
    resizeToKind(open({ pages: 1 }).autoOrient(), kind, frame),
    stillFormat,
    join(folder, 'still'),
  );
  if (!moves) return { file: still, still: undefined };
  // Enlarging a few hundred frames costs more than it improves.
  const side = Math.min(maxAvatarSide, frame.width, frame.height);
  const animated = resizeToKind(open({ animated: true }), kind, frame, side);
  return { file: await encodeProfileImage(animated, format, join(folder, 'moving')), still };
}

async function createOpener(path: string, limitInputPixels: number): Promise<(options: SharpOptions) => Sharp> {
  const sharp = await loadSharp();
  const body = await readFile(path);
  return (options) =>
    sharp(body, { limitInputPixels, limitInputChannels: 5, sequentialRead: true, failOn: 'error', ...options });
}

function resizeToKind(
  image: Sharp,
  kind: ProfileImageKind,
  frame: { width: number; height: number },
  side = maxAvatarSide,
): Sharp {
  const bounded = image.timeout({ seconds: decodeTimeoutSeconds });
  if (kind === 'avatar') return bounded.resize(side, side, { fit: 'cover' });
  const scale = Math.min(1, Math.sqrt(maxHeaderPixels / (frame.width * frame.height)));
  // The image may still have to be rotated, so either side can be the longer one.
  const longest = Math.max(1, Math.floor(Math.max(frame.width, frame.height) * scale));
  return bounded.resize(longest, longest, { fit: 'inside', withoutEnlargement: true });
}

/** Writes an image into a file; `stem` is its path without the extension. */
async function encodeProfileImage(image: Sharp, format: Format, stem: string): Promise<OutputFile> {
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
