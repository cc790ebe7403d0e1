import type { DecodedImage, Size } from '../decoding/tasks.ts';
import type { MediaMeta } from '../schema.ts';

/** Returns MediaAttachment.meta of an image. */
export function imageMeta({ original, small }: Pick<DecodedImage, 'original' | 'small'>): MediaMeta {
  return { original: sizeMeta(original), small: sizeMeta(small) };
}

/** Returns the size of an image as in MediaAttachment.meta. */
export function sizeMeta({ width, height }: Size): NonNullable<MediaMeta['small']> {
  return { width, height, size: `${width}x${height}`, aspect: width / height };
}
