import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { App } from '../../platform/app.ts';
import { invalidField, invalidFieldsError } from '../../platform/http/http-errors.ts';
import { imageDecoders, RefusedFile } from '../decoding/decoder-pool.ts';
import { withWorkFolder } from '../decoding/work-folder.ts';
import type { ProfileImageKeys } from './process-profile-image.ts';
import { storeFiles, type KeyedFile } from '../stored-files.ts';

/** Bytes (reference/limits.tsv: emoji size). */
const maxEmojiBytes = 262_144;

/**
 * Stores an image as a custom emoji, and a static version of an animated one. Throws 422 and stores nothing if the file
 * is too large, not a PNG, GIF or WebP, or cannot be decoded.
 */
export async function processEmoji(app: App, path: string): Promise<ProfileImageKeys> {
  if ((await stat(path)).size > maxEmojiBytes) throw invalidField('image', 'problems.largerThan256KB');
  return withWorkFolder(app, async (folder) => {
    try {
      const { file, still } = await imageDecoders.run<'emoji'>('emojis', { name: 'emoji', path, folder });
      const stem = `emojis/${randomBytes(16).toString('hex')}`;
      const extension = file.contentType === 'image/apng' ? 'png' : file.contentType.replace('image/', '');
      const placed: KeyedFile = { ...file, key: `${stem}.${extension}` };
      const stillPlaced: KeyedFile | undefined = still && { ...still, key: `${stem}-static.png` };
      await storeFiles(app, stillPlaced === undefined ? [placed] : [placed, stillPlaced]);
      return { key: placed.key, staticKey: stillPlaced?.key ?? placed.key };
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      if (error.cause === undefined)
        throw invalidFieldsError([{ field: 'image', error: 'ERR_INVALID', description: error.text }]);
      app.log.debug({ reason: error.cause }, 'an emoji cannot be decoded');
      throw invalidField('image', 'problems.unreadable');
    }
  });
}
