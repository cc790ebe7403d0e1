import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { largestImage, originalArea, smallArea } from '../limits.ts';
import { blurhashOf } from './blurhash-of.ts';
import { extensions, imageFormats, type ImageFormat } from './image-formats.ts';
import { imageLibrary } from './image-library.ts';
import { openImage, type OpenImage } from './open-image.ts';
import { Refused, type DecodedImage, type MadePicture, type Size } from './tasks.ts';

/**
 * Makes an image what browsers show anywhere: JPEG, PNG or WebP, upright, in sRGB, without metadata, of at most 8.3
 * megapixels, with a preview. Of a moving image the first frame is kept.
 */
export async function decodeImage({ path, folder }: { path: string; folder: string }): Promise<DecodedImage> {
  if ((await stat(path)).size > largestImage) throw new Refused('Validation failed: File must be smaller than 16 MB');
  const image = await openImage(path);
  const format = formatFor(image);
  const original = await encode(fit(await image.decode(), image, originalArea), format, join(folder, 'original'));
  return { original, ...(await preview(original, format, folder)) };
}

/** Where nothing is transparent, JPEG: encoding WebP takes three times as long (docs/benchmarks.md, Uploads). */
function formatFor({ type, isOpaque }: OpenImage): ImageFormat {
  return type === 'image/webp' && isOpaque ? 'jpeg' : imageFormats[type];
}

/** The preview of an image that has been made web-safe, and its blurhash. */
export async function preview(
  original: MadePicture,
  format: ImageFormat,
  folder: string,
): Promise<Omit<DecodedImage, 'original'>> {
  const sharp = await imageLibrary();
  // WebP keeps transparency and is a tenth of a PNG's size.
  const smallFormat = format === 'jpeg' ? 'jpeg' : 'webp';
  const small = await encode(fit(sharp(original.path), original, smallArea), smallFormat, join(folder, 'small'));
  return { small, blurhash: await blurhashOf(small.path) };
}

/** Scales down to an area, never up. The longer side may lie either way once the image is upright. */
export function fit(image: Sharp, { width, height }: Size, area: number): Sharp {
  const scale = Math.min(1, Math.sqrt(area / (width * height)));
  const longest = Math.max(1, Math.floor(Math.max(width, height) * scale));
  return image.resize(longest, longest, { fit: 'inside', withoutEnlargement: true });
}

/** Writes an image into a file; `stem` is its path without the extension. */
export async function encode(image: Sharp, format: ImageFormat, stem: string): Promise<MadePicture> {
  const path = `${stem}.${extensions[format]}`;
  const { width, height } = await encoder(image, format).toFile(path);
  return { path, contentType: `image/${format}`, width, height };
}

function encoder(image: Sharp, format: ImageFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality: 90 });
    case 'png':
      return image.png({ compressionLevel: 2 });
    case 'webp':
      return image.webp({ quality: 85, effort: 0 });
  }
}
