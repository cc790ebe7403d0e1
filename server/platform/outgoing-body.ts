import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { OutgoingError } from './outgoing-error.ts';

/** What `readBody` can undo, as the value of Accept-Encoding. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Reads an answer to its end and undoes its compression. Throws an OutgoingError as soon as it turns out to be larger
 * than `most` bytes, sent or decompressed.
 */
export async function readResponseBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the stream and its connection.
    if (size > maxBytes) throw tooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return decompress(Buffer.concat(chunks, size), encoding.trim().toLowerCase(), maxBytes);
}

/**
 * Hands a body to `receive` chunk by chunk and returns an empty buffer. Throws an OutgoingError as soon as it turns out
 * to be larger than `maxBytes`, and for a compressed body.
 */
export async function streamResponseBody(
  body: Readable,
  encoding: string,
  { maxBytes, receive }: { maxBytes: number; receive: (chunk: Buffer) => Promise<void> },
): Promise<Buffer> {
  const isPlain = ['', 'identity'].includes(encoding.trim().toLowerCase());
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (!isPlain) throw new OutgoingError('unreachable', 'the answer is compressed although that was not asked for');
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
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError(maxBytes);
    throw new OutgoingError('unreachable', 'the answer is compressed in a broken way', { cause: error });
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
      // Some servers leave out the zlib header that RFC 9110 asks for; its low four bits are always 8.
      return ((compressed[0] ?? 0) & 0x0f) === 8 ? decoders.deflate : decoders.rawDeflate;
    default:
      throw new OutgoingError(
        'unreachable',
        `the answer has an encoding we did not ask for (${encoding.slice(0, 40)})`,
      );
  }
}

function tooLargeError(maxBytes: number): OutgoingError {
  return new OutgoingError('too-large', `the answer is larger than ${maxBytes} bytes`);
}
