import { encode } from 'blurhash';
import { loadSharp } from './load-sharp.ts';

/** More pixels make no visible difference in a blur. */
const sampleSide = 32;
const components = 4;

/** Returns the blurhash (4 by 4) of an image file; transparency counts as white. */
export async function computeBlurhash(path: string): Promise<string> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(path)
    .flatten({ background: '#ffffff' })
    .resize(sampleSide, sampleSide, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encode(new Uint8ClampedArray(data), info.width, info.height, components, components);
}
