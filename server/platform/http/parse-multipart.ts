import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { TObject } from 'typebox';
import { isFileParameter } from './file-parameters.ts';
import { nestParams, UploadedFile, type Params } from './parse-params.ts';
import { badRequest, payloadTooLarge } from './http-errors.ts';
import type { Uploads } from './uploads.ts';

interface MultipartOptions {
  /** The parameters of the route: only parts that it takes as files are written to disk, others are skipped. */
  readonly schema: TObject;
  readonly uploads: Uploads;
  /** Largest file in bytes. The whole body may have twice as many: a video comes with a thumbnail. */
  readonly limit: number;
}

/**
 * Reads a multipart body into nested parameters. Files are streamed to disk, never held in memory. The first failure
 * (of the client, the parser or the disk) ends the reading at once and leaves no file open; the rest of the body is not
 * read.
 */
export async function parseMultipart(request: IncomingMessage, options: MultipartOptions): Promise<Params> {
  const pairs: [string, unknown][] = [];
  const writes: Promise<void>[] = [];
  const failure = new AbortController();
  const { signal } = failure;
  const fail = (error: unknown): void => failure.abort(error);
  const maxBytes = 2 * options.limit;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw payloadTooLarge();
  const busboy = createParser(request, options.limit);
  let size = 0;
  const count = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxBytes) fail(payloadTooLarge());
  };
  request.on('data', count);
  busboy.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) fail(payloadTooLarge());
    else pairs.push([name, value]);
  });
  // The library calls it with five parameters.
  // oxlint-disable-next-line max-params
  busboy.on('file', (name, stream, filename, _encoding, contentType) => {
    // A part that ends too early also fails the parser, which is what ends the reading.
    stream.on('error', () => {});
    stream.on('limit', () => fail(payloadTooLarge()));
    if (filename === undefined || !isFileParameter(options.schema, name)) return void stream.resume();
    const store = async (): Promise<void> => {
      const { path, size } = await options.uploads.storeStream(stream, signal);
      if (size > 0) pairs.push([name, new UploadedFile({ path, size, filename, contentType })]);
    };
    writes.push(store().catch(fail));
  });
  for (const name of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    busboy.on(name, () => fail(badRequest('http.tooManyParameters')));
  }
  await pipeToParser(request, busboy, signal).catch(() => fail(badRequest('http.multipartUnreadable')));
  request.off('data', count);
  await Promise.all(writes);
  signal.throwIfAborted();
  return nestParams(pairs);
}

function createParser(request: IncomingMessage, limit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fileSize: limit, fieldSize: 1_048_576, files: 8, fields: 1_000, parts: 1_000 },
    });
  } catch {
    throw badRequest('http.multipartUnreadable');
  }
}

/** Resolves when both the body and the parser have ended; rejects when one of them fails or `signal` aborts. */
async function pipeToParser(request: IncomingMessage, busboy: BusboyInstance, signal: AbortSignal): Promise<void> {
  request.pipe(busboy);
  try {
    await Promise.all([
      finished(request, { signal, writable: false, cleanup: true }),
      finished(busboy, { signal, cleanup: true }),
    ]);
  } finally {
    // Destroying the request would close the connection, which the response needs.
    request.unpipe(busboy);
    busboy.on('error', () => {});
    busboy.destroy();
  }
}
