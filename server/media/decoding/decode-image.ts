import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { maxImageBytes, maxOriginalPixels, maxSmallPixels } from '../limits.ts';
import { computeBlurhash } from './compute-blurhash.ts';
import { extensions, imageFormats, type ImageFormat } from './image-formats.ts';
import { loadSharp } from './load-sharp.ts';
import { openImage, type OpenImage } from './open-image.ts';
import { Refused, type DecodedImage, type OutputImage, type Size } from './tasks.ts';

/**
 * Converts an image to JPEG, PNG or WebP: upright, in sRGB, without metadata, at most 8.3 megapixels, with a preview. Only
 * the first frame of an animation is kept. The image is decoded once for both.
 */
export async function decodeImage({ path, folder }: { path: string; folder: string }): Promise<DecodedImage> {
  const { size: bytes } = await stat(path);
  if (bytes > maxImageBytes) throw new Refused('media.fileTooLarge');
  const image = await openImage(path);
  const format = formatFor(image, bytes);
  // WebP keeps transparency and is a tenth of a PNG's size.
  const smallFormat = format === 'jpeg' ? 'jpeg' : 'webp';
  const pixels = await decodePixels(resizeToArea(await image.decode(), image, maxOriginalPixels));
  const original = await encodeImage(await pixels.open(), format, join(folder, 'original'));
  const small = await encodeImage(
    resizeToArea(await pixels.open(), pixels, maxSmallPixels),
    smallFormat,
    join(folder, 'small'),
  );
  return { original, small, blurhash: await computeBlurhash(small.path) };
}

/** Above this number of bits per pixel in the file, a PNG is a photograph rather than a drawing. */
const photoBitsPerPixel = 4;

/**
 * An image that is scaled down is changed anyway. If it is an opaque photograph too, JPEG suits it: a fifth of a PNG,
 * and encoded in a third of the time (docs/benchmarks.md, Uploads).
 */
function formatFor({ type, isOpaque, width, height }: OpenImage, bytes: number): ImageFormat {
  const format = imageFormats[type];
  const area = width * height;
  if (!isOpaque || area <= maxOriginalPixels) return format;
  return format === 'webp' || (bytes * 8) / area > photoBitsPerPixel ? 'jpeg' : format;
}

interface DecodedPixels extends Size {
  readonly open: () => Promise<Sharp>;
}

/** Runs a pipeline on an image and keeps the result in memory. */
async function decodePixels(image: Sharp): Promise<DecodedPixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const open = async (): Promise<Sharp> => (await loadSharp())(data, { raw: { width, height, channels } });
  return { width, height, open };
}

/** Scales down to an area, never up. The image may still have to be rotated, so either side can be the longer one. */
export function resizeToArea(image: Sharp, { width, height }: Size, area: number): Sharp {
  const scale = Math.min(1, Math.sqrt(area / (width * height)));
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  let longest = Math.max(1, Math.floor(long * scale));
  // sharp rounds the shorter side to the nearest pixel, which may exceed the area.
  if (scale < 1 && longest * Math.round((longest * short) / long) > area) longest -= 1;
  return image.resize(longest, longest, { fit: 'inside', withoutEnlargement: true });
}

/** Writes an image into a file; `stem` is its path without the extension. */
export async function encodeImage(image: Sharp, format: ImageFormat, stem: string): Promise<OutputImage> {
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
