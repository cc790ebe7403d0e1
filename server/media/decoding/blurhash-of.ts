import { encode } from 'blurhash';
import { imageLibrary } from './image-library.ts';

/** More shows nowhere in a blur. */
const side = 32;
const components = 4;

/** The blurhash (4 by 4) of an image file; what is transparent counts as white. */
export async function blurhashOf(path: string): Promise<string> {
  const sharp = await imageLibrary();
  const { data, info } = await sharp(path)
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encode(new Uint8ClampedArray(data), info.width, info.height, components, components);
}
