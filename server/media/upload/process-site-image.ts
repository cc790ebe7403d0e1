import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { App } from '../../platform/app.ts';
import { invalidField, invalidFieldsError } from '../../platform/http/http-errors.ts';
import { imageDecoders, RefusedFile } from '../decoding/decoder-pool.ts';
import type { SiteImageKind } from '../decoding/tasks.ts';
import { withWorkFolder } from '../decoding/work-folder.ts';
import { maxImageBytes } from '../limits.ts';
import { storeFiles, type KeyedFile } from '../stored-files.ts';

/** The stored versions of an image of the site. */
export interface SiteImageFiles {
  /** Storage keys by version. */
  readonly keys: Readonly<Record<string, string>>;
  readonly blurhash: string;
}

/** Stores an image of the site in all its sizes. Throws 422 and stores nothing if it is too large or cannot be decoded. */
export async function processSiteImage(app: App, path: string, kind: SiteImageKind): Promise<SiteImageFiles> {
  if ((await stat(path)).size > maxImageBytes) throw invalidField('image', 'problems.largerThan16MB');
  return withWorkFolder(app, async (folder) => {
    try {
      const image = await imageDecoders.run<'site-image'>('site', { name: 'site-image', path, folder, kind });
      const stem = `site/${kind}/${randomBytes(16).toString('hex')}`;
      const placed = Object.entries(image.files).map(([version, file]): [string, KeyedFile] => {
        const name = version.replace('@', '');
        return [version, { ...file, key: `${stem}-${name}.${file.path.slice(file.path.lastIndexOf('.') + 1)}` }];
      });
      await storeFiles(
        app,
        placed.map(([, file]) => file),
      );
      return { keys: Object.fromEntries(placed.map(([version, { key }]) => [version, key])), blurhash: image.blurhash };
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      if (error.cause === undefined)
        throw invalidFieldsError([{ field: 'image', error: 'ERR_INVALID', description: error.text }]);
      app.log.debug({ reason: error.cause }, 'an image of the site cannot be decoded');
      throw invalidField('image', 'problems.unreadable');
    }
  });
}
