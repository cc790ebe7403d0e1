import { join } from 'node:path';
import { openImage } from './open-image.ts';
import { Refused, type DecodedProfileImage, type EmojiTask } from './tasks.ts';

/** Checks the image of an emoji, which is stored unchanged. An animated one gets a static version as PNG. */
export async function decodeEmoji({ path, folder }: EmojiTask): Promise<DecodedProfileImage> {
  const { type, pages, decode } = await openImage(path);
  if (!['image/png', 'image/apng', 'image/gif', 'image/webp'].includes(type)) {
    throw new Refused('problems.notEmojiImage');
  }
  const still = join(folder, 'still.png');
  // Decoded even if it is not needed, so that a broken file is refused.
  await (await decode()).png({ compressionLevel: 8 }).toFile(still);
  const file = { path, contentType: type };
  return { file, still: pages > 1 || type === 'image/apng' ? { path: still, contentType: 'image/png' } : undefined };
}
