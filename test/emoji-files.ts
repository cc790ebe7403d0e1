import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { addEmoji } from '../server/emojis/manage/index.ts';
import type { TestServer } from './server.ts';

/** Options of sharp for a small image of one colour. */
export const solidColour = (red: number) => ({
  create: { width: 24, height: 24, channels: 4 as const, background: { r: red, g: 90, b: 40 } },
});
export const createPng = (red = 200): Promise<Buffer> => sharp(solidColour(red)).png().toBuffer();

/** Creates a GIF with two frames. */
export async function createGif(): Promise<Buffer> {
  const frames = await Promise.all([10, 250].map((red) => sharp(solidColour(red)).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

type EmojiOptions = Partial<Parameters<typeof addEmoji>[2]>;

/** Adds an emoji from a file, like the command line does. */
export async function addTestEmoji(
  server: TestServer,
  shortcode: string,
  body?: Buffer,
  options: EmojiOptions = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'emoji-test-'));
  try {
    const path = join(folder, 'image');
    await writeFile(path, body ?? (await createPng()));
    await addEmoji(server.app, 'system', { shortcode, path, ...options });
  } finally {
    await rm(folder, { recursive: true });
  }
}
