import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largestImage, smallArea } from '../limits.ts';
import { blurhashOf } from './blurhash-of.ts';
import { coloursOf } from './colours-of.ts';
import { encode, fit } from './decode-image.ts';
import { openImage } from './open-image.ts';
import { Refused, type Cover } from './tasks.ts';

/** Makes an image the preview of a film or sound: a JPEG of 230,400 pixels at most, its blurhash and its colours. */
export async function makeCover({ path, folder }: { path: string; folder: string }): Promise<Cover> {
  if ((await stat(path)).size > largestImage)
    throw new Refused('Validation failed: Thumbnail must be smaller than 16 MB');
  const image = await openImage(path);
  const small = await encode(fit(await image.decode(), image, smallArea), 'jpeg', join(folder, 'cover'));
  return { small, blurhash: await blurhashOf(small.path), colours: await coloursOf(small.path) };
}
