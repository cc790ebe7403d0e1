import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maxImageBytes, maxSmallPixels } from '../limits.ts';
import { computeBlurhash } from './compute-blurhash.ts';
import { extractColours } from './extract-colours.ts';
import { encodeImage, resizeToArea } from './decode-image.ts';
import { openImage } from './open-image.ts';
import { Refused, type Cover } from './tasks.ts';

/** Creates the preview of a video or audio file: a JPEG of at most 230,400 pixels, its blurhash and its colours. */
export async function createCover({ path, folder }: { path: string; folder: string }): Promise<Cover> {
  if ((await stat(path)).size > maxImageBytes) throw new Refused('media.thumbnailTooLarge');
  const image = await openImage(path);
  const small = await encodeImage(
    resizeToArea(await image.decode(), image, maxSmallPixels),
    'jpeg',
    join(folder, 'cover'),
  );
  return { small, blurhash: await computeBlurhash(small.path), colours: await extractColours(small.path) };
}
