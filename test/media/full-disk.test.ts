import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageDecoders } from '../../server/media/decoding/decoder-pool.ts';
import { describeTemporaryFailure } from '../../server/platform/temporary-failures.ts';

test('a full disk while a file is decoded is a temporary failure, not an invalid file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ff-full-'));
  try {
    const path = join(folder, 'upload');
    await sharp({ create: { width: 300, height: 300, channels: 3, background: '#345678' } })
      .png()
      .toFile(path);
    for (const name of ['original.png', 'still.png']) await symlink('/dev/full', join(folder, name));
    const failures = await Promise.all([
      imageDecoders.run<'image'>('alice', { name: 'image', path, folder }).catch((error: unknown) => error),
      imageDecoders.run<'emoji'>('alice', { name: 'emoji', path, folder }).catch((error: unknown) => error),
    ]);
    expect(failures.map(describeTemporaryFailure)).toEqual(['the disk is full', 'the disk is full']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
