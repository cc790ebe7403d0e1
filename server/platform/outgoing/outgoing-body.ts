import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { OutgoingError } from './outgoing-error.ts';
import { toError } from '../errors.ts';

/** The encodings that `readBody` can decode, as the value of Accept-Encoding. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Reads a whole response and decompresses it. Throws an OutgoingError once it exceeds `maxBytes`, compressed or not.
 */
export async function readResponseBody(
  body: AsyncIterable<Buffer>,
  encoding: string,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop destroys the stream and closes its connection.
    if (size > maxBytes) throw tooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return decompress(Buffer.concat(chunks, size), encoding.trim().toLowerCase(), maxBytes);
}

/**
 * Passes a body to `receive` in chunks and returns an empty buffer. Throws an OutgoingError once it exceeds `maxBytes`,
 * and if it is compressed.
 */
export async function streamResponseBody(
  body: Readable,
  encoding: string,
  { maxBytes, receive }: { maxBytes: number; receive: (chunk: Buffer) => Promise<void> },
): Promise<Buffer> {
  const isPlain = ['', 'identity'].includes(encoding.trim().toLowerCase());
  let size = 0;
  for await (const chunk of body) {
    if (!isPlain) throw new OutgoingError('unreachable', 'the response is compressed, although that was not requested');
    size += chunk.length;
    if (size > maxBytes) throw tooLargeError(maxBytes);
    await receive(chunk);
  }
  return Buffer.alloc(0);
}

async function decompress(compressed: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  if (encoding === '' || encoding === 'identity' || compressed.length === 0) return compressed;
  const decode = selectDecoder(encoding, compressed);
  try {
    return await decode(compressed, { maxOutputLength: maxBytes });
  } catch (error) {
    if (toError(error).code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError(maxBytes);
    throw new OutgoingError('unreachable', 'the compressed response is broken', { cause: error });
  }
}

const decoders = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  rawDeflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw),
};

function selectDecoder(encoding: string, compressed: Buffer): (typeof decoders)['gzip'] {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return decoders.gzip;
    case 'br':
      return decoders.br;
    case 'deflate':
      // Some servers omit the zlib header that RFC 9110 requires; its low four bits are always 8.
      return ((compressed[0] ?? 0) & 0x0f) === 8 ? decoders.deflate : decoders.rawDeflate;
    default:
      throw new OutgoingError(
        'unreachable',
        `the response has an encoding that was not requested (${encoding.slice(0, 40)})`,
      );
  }
}

function tooLargeError(maxBytes: number): OutgoingError {
  return new OutgoingError('too-large', `the response is larger than ${maxBytes} bytes`);
}
