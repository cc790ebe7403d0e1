import { join } from 'node:path';
import { computeBlurhash } from './compute-blurhash.ts';
import { loadSharp } from './load-sharp.ts';
import { openImage } from './open-image.ts';
import { Refused, type DecodedSiteImage, type OutputFile, type SiteImageTask } from './tasks.ts';

/** Versions of a thumbnail, in the shape of previews of links (reference/entities.tsv, Instance.thumbnail.versions). */
const thumbnailSizes = [
  { version: '@1x', width: 1200, height: 630 },
  { version: '@2x', width: 2400, height: 1260 },
];
/** The icons that systems ask for. */
const iconSizes = [36, 48, 72, 96, 144, 192, 256, 384, 512].map((side) => ({
  version: `${side}x${side}`,
  width: side,
  height: side,
}));

/** Creates the versions of the thumbnail or the icon of the site, cropped to its shape: PNG if transparent, else JPEG. */
export async function decodeSiteImage({ path, folder, kind }: SiteImageTask): Promise<DecodedSiteImage> {
  const { type, isOpaque, decode } = await openImage(path);
  if (type === 'image/gif') throw new Refused('problems.notSiteImage');
  const sizes = kind === 'thumbnail' ? thumbnailSizes : iconSizes;
  const largest = join(folder, 'largest.png');
  const { width, height } = sizes.at(-1) ?? { width: 0, height: 0 };
  await (await decode()).resize(width, height, { fit: 'cover' }).png({ compressionLevel: 1 }).toFile(largest);
  // Icons are PNG, because systems ask for that.
  const format = kind === 'thumbnail' && isOpaque ? 'jpeg' : 'png';
  const sharp = await loadSharp();
  const files: Record<string, OutputFile> = {};
  for (const size of sizes) {
    const file = join(folder, `${size.width}.${format === 'jpeg' ? 'jpg' : 'png'}`);
    const scaled = sharp(largest).resize(size.width, size.height);
    await (format === 'jpeg' ? scaled.jpeg({ quality: 85 }) : scaled.png({ compressionLevel: 8 })).toFile(file);
    files[size.version] = { path: file, contentType: `image/${format}` };
  }
  return { files, blurhash: await computeBlurhash(largest) };
}
