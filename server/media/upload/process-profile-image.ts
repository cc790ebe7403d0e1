import { randomBytes } from 'node:crypto';
import type { App } from '../../platform/app.ts';
import type { UploadedFile } from '../../platform/http/parse-params.ts';
import { invalidFieldsError, type HttpError } from '../../platform/http/http-errors.ts';
import { message, type Message } from '../../platform/i18n/message.ts';
import type { AccountId } from '../../platform/ids.ts';
import { imageDecoders, RefusedFile } from '../decoding/decoder-pool.ts';
import type { DecodedProfileImage, ProfileImageKind } from '../decoding/tasks.ts';
import { withWorkFolder } from '../decoding/work-folder.ts';
import { storeFiles, type KeyedFile } from '../stored-files.ts';

export type { ProfileImageKind } from '../decoding/tasks.ts';

/** Storage keys of a processed image. Both are the same if it is not animated. */
export interface ProfileImageKeys {
  readonly key: string;
  readonly staticKey: string;
}

/** Bytes (reference/limits.tsv: avatar size, header size). */
const maxProfileImageBytes = 8 * 1024 * 1024;

/**
 * Converts an uploaded file to an avatar (400 by 400, cropped) or a header (scaled down to the area of 1500 by 500):
 * upright, without metadata, in sRGB. GIF and WebP stay animated and get a static version. Throws 422 with the field
 * and stores nothing if the file is too large, has an unknown format, or cannot be decoded.
 */
export async function processProfileImage(
  app: App,
  accountId: AccountId,
  file: UploadedFile,
  kind: ProfileImageKind,
): Promise<ProfileImageKeys> {
  if (file.size > maxProfileImageBytes) throw profileImageError(kind, message('problems.largerThan8MB'));
  return withWorkFolder(app, async (folder) => {
    try {
      const image = await imageDecoders.run<'profile-image'>(accountId, {
        name: 'profile-image',
        path: file.path,
        folder,
        kind,
      });
      return await storeProfileImage(app, kind, image);
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      if (error.cause === undefined) throw profileImageError(kind, error.text);
      app.log.debug({ reason: error.cause, kind }, 'an uploaded image cannot be decoded');
      throw profileImageError(kind, message('problems.unreadableImage'));
    }
  });
}

function profileImageError(kind: ProfileImageKind, description: Message): HttpError {
  return invalidFieldsError([{ field: kind, error: 'ERR_INVALID', description }]);
}

async function storeProfileImage(
  app: App,
  kind: ProfileImageKind,
  { file, still }: DecodedProfileImage,
): Promise<ProfileImageKeys> {
  // Unguessable, and new each time: the content of a URL never changes.
  const name = randomBytes(16).toString('hex');
  const stem = `accounts/${kind}s/${name.slice(0, 2)}/${name}`;
  const placed: KeyedFile = { ...file, key: `${stem}.${extensionOf(file.path)}` };
  if (still === undefined) {
    await storeFiles(app, [placed]);
    return { key: placed.key, staticKey: placed.key };
  }
  const stillPlaced: KeyedFile = { ...still, key: `${stem}-static.${extensionOf(still.path)}` };
  await storeFiles(app, [placed, stillPlaced]);
  return { key: placed.key, staticKey: stillPlaced.key };
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
