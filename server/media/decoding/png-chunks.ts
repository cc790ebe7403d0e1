import { crc32 } from 'node:zlib';

export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Returns the complete chunks of a PNG, in order, without checking them. Their data refer to the file. */
export function listPngChunks(file: Buffer): PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = pngSignature.length; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length) break;
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) });
    at = end;
  }
  return chunks;
}

/** Returns a chunk as it is written. */
export function formatPngChunk({ type, data }: PngChunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
