import { readFile } from 'node:fs/promises';
import type heicConvert from 'heic-convert';
import type { Sharp } from 'sharp';
import { maxHeifPixels, maxPixels } from '../limits.ts';
import { detectContentType, isImageType, type ImageType } from './image-formats.ts';
import { loadSharp } from './load-sharp.ts';
import { Refused } from './tasks.ts';

/** Timeout of one decoding or encoding. */
const decodeTimeoutSeconds = 15;

export interface OpenImage {
  readonly type: ImageType;
  /** Number of frames. */
  readonly pages: number;
  /** Of one frame, before it is rotated upright. */
  readonly width: number;
  readonly height: number;
  /** Whether the file declares no transparency. */
  readonly isOpaque: boolean;
  /** The first frame, upright, in sRGB, ready to be scaled. */
  readonly decode: () => Promise<Sharp>;
}

/** Opens an image and reads its metadata. Rejects unknown formats and images that are too large to decode. */
export async function openImage(path: string): Promise<OpenImage> {
  const type = await detectContentType(path);
  if (!isImageType(type)) throw new Refused('media.unverifiedType');
  const sharp = await loadSharp();
  const isHeif = ['image/avif', 'image/heic', 'image/heif'].includes(type);
  const maxInputPixels = isHeif ? maxHeifPixels : maxPixels;
  const body = await readFile(path);
  const open = (bytes: Buffer): Sharp =>
    sharp(bytes, { limitInputPixels: false, limitInputChannels: 5, sequentialRead: true, failOn: 'error', pages: 1 });
  const { width, height, pageHeight, hasAlpha, pages = 1 } = await open(body).metadata();
  const frameHeight = pageHeight ?? height;
  if (width * frameHeight > maxInputPixels) throw new Refused('media.imageTooLarge', { width, height: frameHeight });
  const decode = async (): Promise<Sharp> =>
    open(type === 'image/heic' || type === 'image/heif' ? await convertHeic(body) : body)
      .timeout({ seconds: decodeTimeoutSeconds })
      .autoOrient();
  return { type, pages, width, height: frameHeight, isOpaque: !hasAlpha, decode };
}

/** Decodes HEIC to JPEG; its decoder rotates it upright. */
async function convertHeic(body: Buffer): Promise<Buffer> {
  const convert = await loadHeicConverter();
  return Buffer.from(await convert({ buffer: body, format: 'JPEG', quality: 0.95 }));
}

/** An optional dependency: without it, HEIC is refused. */
async function loadHeicConverter(): Promise<typeof heicConvert> {
  try {
    return (await import('heic-convert')).default;
  } catch {
    throw new Refused('media.heicUnsupported');
  }
}
