import { mostGifPixels } from '../limits.ts';
import { filmFormatOf } from './film-formats.ts';
import { contentTypeOfFile, isImageType } from './image-formats.ts';
import { openImage } from './open-image.ts';
import { checkFilm, probeFilm } from './probe-film.ts';
import { Refused, type Inspected } from './tasks.ts';

const unverified = 'File type of uploaded media could not be verified';

/** Says what a file is. Refuses, before anything of it is decoded, what is no media or larger than is processed. */
export async function inspectFile({ path }: { path: string }): Promise<Inspected> {
  const contentType = await contentTypeOfFile(path);
  if (isImageType(contentType)) return inspectImage(path, contentType);
  const format = filmFormatOf(contentType);
  if (format === undefined) throw new Refused(unverified);
  const facts = await probeFilm(path);
  if (facts === undefined) {
    // Only these two are read by the transcoder alone; it will tell whether there is anything in them.
    if (!['asf', 'ogg'].includes(format.demuxer)) throw new Refused(unverified);
    return { kind: format.kind, contentType };
  }
  // Theora is not known to the prober, but its container says that there is something to see.
  if (contentType === 'video/ogg' && facts.video === undefined) return { kind: 'film', contentType };
  checkFilm(facts);
  return { kind: facts.video === undefined ? 'sound' : 'film', contentType };
}

async function inspectImage(path: string, contentType: string): Promise<Inspected> {
  if (contentType !== 'image/gif') return { kind: 'image', contentType };
  const { pages, width, height } = await openImage(path);
  if (pages === 1) return { kind: 'image', contentType };
  if (width * height > mostGifPixels) throw new Refused(`${width}x${height} GIF files are not supported`);
  return { kind: 'moving', contentType };
}
