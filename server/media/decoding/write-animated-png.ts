import { open, readFile, writeFile } from 'node:fs/promises';
import { maxPixels } from '../limits.ts';
import { loadSharp } from './load-sharp.ts';
import { formatPngChunk, listPngChunks, pngSignature } from './png-chunks.ts';
import type { Animation } from './read-animation.ts';

/**
 * Writes the frames of an animated GIF or WebP as an animated PNG, which transcoders read, with transparency as white. Decodes as
 * many frames at a time as fit into the memory of one large image.
 */
export async function writeAnimatedPng(source: string, target: string, animation: Animation): Promise<void> {
  const file = await open(target, 'w');
  try {
    await file.write(pngSignature);
    let sequence = 0;
    for await (const { png, page } of framesOf(source, animation)) {
      const chunks = listPngChunks(png);
      if (page === 0) {
        await file.write(formatPngChunk({ type: 'IHDR', data: chunks[0]?.data ?? Buffer.alloc(0) }));
        await file.write(formatPngChunk({ type: 'acTL', data: numbers(animation.delays.length, 0) }));
      }
      await file.write(formatPngChunk({ type: 'fcTL', data: frameControl(animation, page, sequence) }));
      sequence += 1;
      const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
      if (page === 0) {
        await file.write(formatPngChunk({ type: 'IDAT', data }));
        continue;
      }
      await file.write(formatPngChunk({ type: 'fdAT', data: Buffer.concat([numbers(sequence), data]) }));
      sequence += 1;
    }
    await file.write(formatPngChunk({ type: 'IEND', data: Buffer.alloc(0) }));
  } finally {
    await file.close();
  }
}

/** Copies an animated PNG with the delays that are shown. */
export async function copyAnimatedPng(source: string, target: string, { delays }: Animation): Promise<void> {
  let frame = 0;
  const chunks = listPngChunks(await readFile(source)).map(({ type, data }) => {
    if (type !== 'fcTL' || data.length < 26) return { type, data };
    const shown = delayFraction(delays[frame] ?? 0);
    frame += 1;
    return { type, data: Buffer.concat([data.subarray(0, 20), shown, data.subarray(24)]) };
  });
  await writeFile(target, Buffer.concat([pngSignature, ...chunks.map(formatPngChunk)]));
}

async function* framesOf(source: string, { width, height, delays }: Animation) {
  const sharp = await loadSharp();
  const body = await readFile(source);
  const frameBytes = width * height * 3;
  const batchSize = Math.max(1, Math.floor(maxPixels / (width * height)));
  for (let first = 0; first < delays.length; first += batchSize) {
    const pages = Math.min(batchSize, delays.length - first);
    const pixels = await sharp(body, { page: first, pages, limitInputPixels: false, failOn: 'error' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer();
    for (let at = 0; at < pages; at += 1) {
      const raw = { width, height, channels: 3 as const };
      const frame = sharp(pixels.subarray(at * frameBytes, (at + 1) * frameBytes), { raw });
      yield { png: await frame.png({ compressionLevel: 1 }).toBuffer(), page: first + at };
    }
  }
}

/** The whole frame replaces the one before. */
function frameControl({ width, height, delays }: Animation, page: number, sequence: number): Buffer {
  return Buffer.concat([
    numbers(sequence, width, height, 0, 0),
    delayFraction(delays[page] ?? 0),
    // Disposal and blending.
    Buffer.from([0, 0]),
  ]);
}

/** A number of milliseconds as a fraction of a second. */
function delayFraction(delayMs: number): Buffer {
  const fraction = Buffer.alloc(4);
  fraction.writeUInt16BE(Math.min(65_535, Math.round(delayMs)), 0);
  fraction.writeUInt16BE(1_000, 2);
  return fraction;
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}
