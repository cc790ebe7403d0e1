import { readFile } from 'node:fs/promises';
import { maxDurationSeconds, maxGifPixels, maxVideoFrames } from '../limits.ts';
import type { ImageType } from './image-formats.ts';
import { loadSharp } from './load-sharp.ts';
import { listPngChunks } from './png-chunks.ts';
import { Refused, type Size } from './tasks.ts';

/** An image of several frames. */
export interface Animation extends Size {
  /** How long each frame is shown, in milliseconds. */
  readonly delays: readonly number[];
  /** Whether the file has shorter delays, which transcoders would read as they are. */
  readonly hasShortDelays: boolean;
}

/** Browsers show a frame with a shorter delay for a tenth of a second. */
const minDelayMs = 20;
const defaultDelayMs = 100;

/**
 * Reads the size and the delays of an animated GIF, PNG or WebP; undefined for an image of one frame. Throws Refused if it is
 * too large, has too many frames or is too long to be converted.
 */
export async function readAnimation(path: string, type: ImageType): Promise<Animation | undefined> {
  const animation = type === 'image/apng' ? await readPng(path) : await readGifOrWebp(path, type);
  if (animation === undefined) return undefined;
  const { width, height, delays } = animation;
  if (width * height > maxGifPixels)
    throw new Refused(type === 'image/gif' ? 'media.gifTooLarge' : 'media.animationTooLarge', { width, height });
  if (delays.length > maxVideoFrames) throw new Refused('media.videoTooManyFrames', { max: maxVideoFrames });
  if (sumOf(delays) > maxDurationSeconds * 1_000) throw new Refused('media.tooLong');
  return animation;
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

async function readGifOrWebp(path: string, type: ImageType): Promise<Animation | undefined> {
  if (type !== 'image/gif' && type !== 'image/webp') return undefined;
  const sharp = await loadSharp();
  const image = sharp(await readFile(path), { limitInputPixels: false, pages: -1, sequentialRead: true });
  const { width, height, pageHeight = height, pages = 1, delay = [] } = await image.metadata();
  if (pages < 2) return undefined;
  const delays = Array.from({ length: pages }, (_, page) => delay[page] ?? 0);
  return { width, height: pageHeight, ...shown(delays) };
}

/** Reads the frames of an animated PNG. A default image outside of the animation is not shown. */
async function readPng(path: string): Promise<Animation | undefined> {
  const chunks = listPngChunks(await readFile(path));
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  const delays = chunks.flatMap(({ type, data }) => (type === 'fcTL' && data.length >= 26 ? [pngDelay(data)] : []));
  if (header === undefined || header.length < 8 || delays.length < 2) return undefined;
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4), ...shown(delays) };
}

/** A fraction of a second; its denominator is 100 if it is 0. */
const pngDelay = (data: Buffer): number => (data.readUInt16BE(20) * 1_000) / (data.readUInt16BE(22) || 100);

const shown = (delays: readonly number[]): Pick<Animation, 'delays' | 'hasShortDelays'> => ({
  delays: delays.map((delayMs) => (delayMs < minDelayMs ? defaultDelayMs : delayMs)),
  hasShortDelays: delays.some((delayMs) => delayMs < minDelayMs),
});
