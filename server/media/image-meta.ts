import type { DecodedImage, Size } from './decoding/tasks.ts';
import type { MediaMeta } from './schema.ts';

/** MediaAttachment.meta of an image. */
export function imageMeta({ original, small }: Pick<DecodedImage, 'original' | 'small'>): MediaMeta {
  return { original: sizeMeta(original), small: sizeMeta(small) };
}

/** A picture's size in the form of MediaAttachment.meta. */
export function sizeMeta({ width, height }: Size): NonNullable<MediaMeta['small']> {
  return { width, height, size: `${width}x${height}`, aspect: width / height };
}
