import type { App } from '../../platform/app.ts';
import type { UploadedFile } from '../../platform/http/parse-params.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { imageDecoders } from '../decoding/decoder-pool.ts';
import type { Cover } from '../decoding/tasks.ts';
import { withWorkFolder } from '../decoding/work-folder.ts';
import { maxImageBytes } from '../limits.ts';
import { sizeMeta } from './image-meta.ts';
import { toUploadError } from './upload-error.ts';
import type { MediaMeta } from '../schema.ts';
import { assignKey, storeFiles, type KeyedFile } from '../stored-files.ts';

/** A stored preview, with the fields of its video's or audio's row. */
export interface StoredCover {
  readonly key: string;
  readonly blurhash: string;
  readonly meta: Pick<MediaMeta, 'small' | 'colors'>;
}

/** Stores a preview made from an uploaded image. Throws 422 for another file. The caller deletes it if it is not used. */
export async function storeCover(app: App, accountId: AccountId, file: UploadedFile): Promise<StoredCover> {
  if (file.size > maxImageBytes) throw invalidField('thumbnail', 'problems.notSmallerThan16MB');
  try {
    return await withWorkFolder(app, async (folder) => {
      const cover = await imageDecoders.run<'cover'>(accountId, { name: 'cover', path: file.path, folder });
      const placed = assignCoverKey(cover);
      await storeFiles(app, [placed]);
      return buildStoredCover(cover, placed);
    });
  } catch (error) {
    throw toUploadError(app, error);
  }
}

/** Assigns a storage key to a preview. */
export const assignCoverKey = (cover: Cover): KeyedFile => assignKey(cover.small, '-small');

/** The columns of a preview. */
export const buildStoredCover = ({ small, blurhash, colours }: Cover, { key }: KeyedFile): StoredCover => ({
  key,
  blurhash,
  meta: { small: sizeMeta(small), colors: colours },
});
