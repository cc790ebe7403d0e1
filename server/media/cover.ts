import type { App } from '../platform/app.ts';
import type { UploadedFile } from '../platform/http/params.ts';
import { invalid } from '../platform/http/problems.ts';
import type { AccountId } from '../platform/ids.ts';
import { imageDecoders } from './decoding/decoders.ts';
import type { Cover } from './decoding/tasks.ts';
import { withWorkFolder } from './decoding/work-folder.ts';
import { largestImage } from './limits.ts';
import { sizeMeta } from './image-meta.ts';
import { asProblem } from './refused-upload.ts';
import type { MediaMeta } from './schema.ts';
import { place, storePlaced, type Placed } from './stored-files.ts';

/** A preview that is stored, and what the row of its film or sound says of it. */
export interface StoredCover {
  readonly key: string;
  readonly blurhash: string;
  readonly meta: Pick<MediaMeta, 'small' | 'colors'>;
}

/** Makes an uploaded image a preview and stores it; 422 when it is none. Whoever asked removes it if it is of no use. */
export async function storeCover(app: App, accountId: AccountId, file: UploadedFile): Promise<StoredCover> {
  if (file.size > largestImage) throw invalid('Thumbnail must be smaller than 16 MB');
  try {
    return await withWorkFolder(app, async (folder) => {
      const cover = await imageDecoders.run<'cover'>(accountId, { name: 'cover', path: file.path, folder });
      const placed = placeCover(cover);
      await storePlaced(app, [placed]);
      return coverFacts(cover, placed);
    });
  } catch (error) {
    throw asProblem(app, error);
  }
}

/** Gives a preview its key. */
export const placeCover = (cover: Cover): Placed => place(cover.small, '-small');

/** What a row says of its preview. */
export const coverFacts = ({ small, blurhash, colours }: Cover, { key }: Placed): StoredCover => ({
  key,
  blurhash,
  meta: { small: sizeMeta(small), colors: colours },
});
