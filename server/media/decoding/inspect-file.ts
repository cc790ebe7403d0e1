import { mostGifPixels } from '../limits.ts';
import { contentTypeOfFile, isImageType } from './image-formats.ts';
import { openImage } from './open-image.ts';
import { Refused, type Inspected } from './tasks.ts';

/** Says what a file is. Refuses, before anything of it is decoded, what is no media or larger than is processed. */
export async function inspectFile({ path }: { path: string }): Promise<Inspected> {
  const contentType = await contentTypeOfFile(path);
  if (!isImageType(contentType)) throw new Refused('File type of uploaded media could not be verified');
  if (contentType !== 'image/gif') return { kind: 'image', contentType };
  const { pages, width, height } = await openImage(path);
  if (pages === 1) return { kind: 'image', contentType };
  if (width * height > mostGifPixels) throw new Refused(`${width}x${height} GIF files are not supported`);
  return { kind: 'moving', contentType };
}
