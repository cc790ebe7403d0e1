import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Sharp, SharpOptions } from 'sharp';
import { perApp, type App } from '../platform/app.ts';
import type { UploadedFile } from '../platform/http/params.ts';
import { invalidFields, Problem } from '../platform/http/problems.ts';
import { imageLibrary } from './decoding/image-library.ts';
import { Turns } from './decoding/turns.ts';

export type ProfileImageKind = 'avatar' | 'header';

/** Storage keys of a processed image. Both are the same when it does not move. */
export interface ProfileImageKeys {
  readonly key: string;
  readonly staticKey: string;
}

/** Bytes (reference/limits.tsv: avatar size, header size). */
const largestProfileImage = 8 * 1024 * 1024;
/** Pixels of one image (reference/limits.tsv: image_matrix_limit), or of all frames of a moving one. */
const mostPixels = 33_177_600;
const mostFrames = 600;
/** Pixels of an AVIF image: its decoder holds all of them at once, at some 16 bytes each. */
const mostAvifPixels = 16_777_216;
/** For one decoding or encoding. */
const mostSeconds = 15;
const avatarSide = 400;
/** A header is scaled to the area of 1500 by 500, whatever its shape. */
const headerArea = 750_000;

/** Decoding takes up to some hundred megabytes: few at once, however many people change their pictures. */
const turns = perApp(() => new Turns(2));

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

type Format = (typeof storedFormats)[keyof typeof storedFormats];

/**
 * Makes an uploaded file an avatar (400 by 400, cropped) or a header (scaled down to the area of 1500 by 500): upright,
 * without metadata, in sRGB. GIF and WebP keep moving and get a still version. Throws 422 naming the field when the
 * file is too large, no image of a known format, or cannot be decoded; then nothing is stored.
 */
export async function processProfileImage(
  app: App,
  file: UploadedFile,
  kind: ProfileImageKind,
): Promise<ProfileImageKeys> {
  if (file.size > largestProfileImage) throw refusal(kind, 'must not be larger than 8 MB');
  const images = await turns(app).take(async () => {
    const body = await readFile(file.path);
    const source = await sourceOf(body);
    if (source === undefined) throw refusal(kind, 'must be a JPEG, PNG, GIF, WebP or AVIF image');
    try {
      return await render(body, source, kind);
    } catch (error) {
      if (error instanceof Problem) throw error;
      app.log.debug({ err: error, kind }, 'an uploaded image cannot be decoded');
      throw refusal(kind, 'cannot be read as an image');
    }
  });
  return store(app, `accounts/${kind}s`, images);
}

function refusal(kind: ProfileImageKind, description: string): Problem {
  return invalidFields([{ field: kind, error: 'ERR_INVALID', description }]);
}

/** The content type that the bytes themselves show; undefined for one that is not read. */
async function sourceOf(body: Buffer): Promise<Source | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(body))?.mime ?? '';
  return mime in storedFormats ? (mime as Source) : undefined;
}

interface Rendered {
  readonly format: Format;
  readonly body: Buffer;
  /** Of a moving image. */
  readonly still: { readonly format: Format; readonly body: Buffer } | undefined;
}

async function render(body: Buffer, source: Source, kind: ProfileImageKind): Promise<Rendered> {
  const sharp = await imageLibrary();
  const format = storedFormats[source];
  const limitInputPixels = source === 'image/avif' ? mostAvifPixels : mostPixels;
  const open = (options: SharpOptions): Sharp =>
    sharp(body, {
      limitInputPixels,
      limitInputChannels: 5,
      sequentialRead: true,
      failOn: 'error',
      ...options,
    });
  const { width, height, pageHeight, pages = 1 } = await open({ pages: 1 }).metadata();
  const frame = { width, height: pageHeight ?? height };
  const moves = pages > 1 && (format === 'gif' || format === 'webp');
  if (moves && (pages > mostFrames || frame.width * frame.height * pages > mostPixels)) {
    throw refusal(kind, 'has too many or too large frames');
  }
  const stillFormat = format === 'gif' ? 'png' : format;
  const still = await encode(fit(open({ pages: 1 }).autoOrient(), kind, frame), stillFormat);
  if (!moves) return { format: stillFormat, body: still, still: undefined };
  // Enlarging a few hundred frames would cost more than it shows.
  const side = Math.min(avatarSide, frame.width, frame.height);
  const moving = await encode(fit(open({ animated: true }), kind, frame, side), format);
  return { format, body: moving, still: { format: stillFormat, body: still } };
}

function fit(image: Sharp, kind: ProfileImageKind, frame: { width: number; height: number }, side = avatarSide): Sharp {
  const bounded = image.timeout({ seconds: mostSeconds });
  if (kind === 'avatar') return bounded.resize(side, side, { fit: 'cover' });
  const scale = Math.min(1, Math.sqrt(headerArea / (frame.width * frame.height)));
  // The longer side may lie either way once the image is upright.
  const longest = Math.max(1, Math.floor(Math.max(frame.width, frame.height) * scale));
  return bounded.resize(longest, longest, { fit: 'inside', withoutEnlargement: true });
}

function encode(image: Sharp, format: Format): Promise<Buffer> {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 88 }).toBuffer();
    case 'png':
      return image.png({ compressionLevel: 8 }).toBuffer();
    case 'gif':
      return image.gif({ effort: 3 }).toBuffer();
    case 'webp':
      return image.webp({ quality: 85, effort: 3 }).toBuffer();
  }
}

const extensions = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp' } as const;

async function store(app: App, folder: string, { format, body, still }: Rendered): Promise<ProfileImageKeys> {
  // Not to be guessed, and new each time: what is behind an address never changes.
  const name = randomBytes(16).toString('hex');
  const stem = `${folder}/${name.slice(0, 2)}/${name}`;
  const key = `${stem}.${extensions[format]}`;
  await app.storage.put(key, body, `image/${format}`);
  if (still === undefined) return { key, staticKey: key };
  const staticKey = `${stem}-static.${extensions[still.format]}`;
  try {
    await app.storage.put(staticKey, still.body, `image/${still.format}`);
  } catch (error) {
    await app.storage.delete(key);
    throw error;
  }
  return { key, staticKey };
}
