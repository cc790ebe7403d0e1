import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { DecoderPool } from '../../server/media/decoding/decoder-pool.ts';

test('a file waits for a decoder for a limited time, and later ones are decoded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ff-decoders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pool = new DecoderPool({
    concurrency: 2,
    limits: { timeoutSeconds: 60, maxMegabytes: 900, maxWaitMs: 300 },
    priority: 0,
  });
  const inspect = (owner: string, path: string) => pool.run<'inspect'>(owner, { name: 'inspect', path });
  const image = join(folder, 'image.png');
  await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } }).toFile(image);
  const others = listChildren();
  const endless = ['a', 'b'].map((owner) => inspect(owner, image).catch((error: Error) => error.name));
  await new Promise(setImmediate);
  const decoders = listChildren().difference(others);
  for (const decoder of decoders) process.kill(decoder, 'SIGSTOP');
  await expect(inspect('c', image)).rejects.toMatchObject({ status: 503 });
  for (const decoder of decoders) process.kill(decoder, 'SIGKILL');
  expect(await Promise.all(endless)).toEqual(['RefusedFile', 'RefusedFile']);
  expect(await inspect('c', image)).toMatchObject({ kind: 'image' });
});

/** Returns the ids of the processes that this one has started. */
function listChildren(): Set<number> {
  const threads = readdirSync('/proc/self/task');
  const lists = threads.map((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8'));
  return new Set(lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number)));
}
