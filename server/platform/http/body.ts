import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { TObject } from 'typebox';
import type { App } from '../app.ts';
import { nest, UploadedFile, type Params } from './params.ts';
import { badRequest, Problem } from './problems.ts';

/** The files of one request, kept in DATA_DIR/tmp until its answer is sent. */
export class Uploads {
  readonly #folder: string;
  readonly #paths: string[] = [];

  constructor(app: App) {
    this.#folder = join(app.config.dataDir, 'tmp');
  }

  /** Keeps the bytes of a `data:` URI as a file. */
  async keep(body: Buffer, contentType: string): Promise<UploadedFile> {
    const path = await this.newPath();
    await writeFile(path, body);
    return new UploadedFile({ path, size: body.length, filename: 'upload', contentType });
  }

  async newPath(): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, randomUUID());
    this.#paths.push(path);
    return path;
  }

  async discard(): Promise<void> {
    for (const path of this.#paths) await rm(path, { force: true });
  }
}

const tooLarge = (): Problem => new Problem(413, 'The request is too large');

/** Reads a multipart body into nested parameters; files are streamed to disk, never held in memory. */
export async function readMultipart(request: IncomingMessage, uploads: Uploads, limit: number): Promise<Params> {
  const pairs: [string, unknown][] = [];
  const writing: Promise<void>[] = [];
  let failure: unknown;
  const busboy = openMultipart(request, limit);
  busboy.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) failure ??= tooLarge();
    else pairs.push([name, value]);
  });
  // The library names five parameters.
  // oxlint-disable-next-line max-params
  busboy.on('file', (name, stream, filename, _encoding, contentType) => {
    const store = async (): Promise<void> => {
      const path = await uploads.newPath();
      let size = 0;
      stream.on('data', (chunk: Buffer) => (size += chunk.length));
      await pipeline(stream, createWriteStream(path));
      if (stream.truncated) failure ??= tooLarge();
      else if (filename !== undefined && size > 0) {
        pairs.push([name, new UploadedFile({ path, size, filename, contentType })]);
      }
    };
    writing.push(
      store().catch((error: unknown) => {
        failure ??= error;
        stream.resume();
      }),
    );
  });
  for (const name of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    busboy.on(name, () => (failure ??= badRequest('Too many parameters')));
  }
  try {
    await pipeline(request, busboy);
  } catch {
    failure ??= badRequest('The multipart body cannot be read');
  }
  await Promise.all(writing);
  if (failure !== undefined) throw failure;
  return nest(pairs);
}

function openMultipart(request: IncomingMessage, limit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fileSize: limit, fieldSize: 1_048_576, files: 8, fields: 1_000, parts: 1_000 },
    });
  } catch {
    throw badRequest('The multipart body cannot be read');
  }
}

/**
 * The body of a GET, which HTTP gives no meaning and the framework leaves alone; some clients send their parameters in it.
 * Only one that says its length is read.
 */
export async function bodyOfGet(request: IncomingMessage, limit: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length === 0) return Buffer.alloc(0);
  if (length > limit) throw tooLarge();
  try {
    return await buffer(request);
  } catch {
    throw badRequest('The body cannot be read');
  }
}

/** Reads a body that is held in memory by its content type; an empty one is no parameters, whatever it calls itself. */
export function readBody(contentType: string, body: Buffer): Params {
  if (body.length === 0) return {};
  if (contentType === 'application/json' || contentType.endsWith('+json')) return readJson(body);
  if (contentType === 'application/x-www-form-urlencoded') return nest(new URLSearchParams(body.toString('utf8')));
  // Some clients leave the type out, or call JSON and forms text.
  const text = body.toString('utf8').trim();
  return text.startsWith('{') ? readJson(body) : nest(new URLSearchParams(text));
}

const longNumber = /\d{16}/;

/** A whole number that JavaScript cannot hold stays as it was written: some clients send ids as numbers. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const written = context?.source ?? '';
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(written) ? written : value;
}

function readJson(body: Buffer): Params {
  let value: unknown;
  try {
    const text = body.toString('utf8');
    value = longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw badRequest('The JSON body cannot be read');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('The JSON body must be an object');
  }
  return withNestedNames(value as Params);
}

/** JSON keys may carry brackets too (`source[privacy]`): some clients send their form names as they are. */
function withNestedNames(value: Params): Params {
  if (!Object.keys(value).some((key) => key.includes('['))) return value;
  return nest(
    Object.entries(value).flatMap(([key, item]): [string, unknown][] =>
      key.endsWith('[]') && Array.isArray(item) ? item.map((one: unknown) => [key, one]) : [[key, item]],
    ),
  );
}

const dataUri = /^data:([a-z0-9.+/-]{0,100})(?:;[a-z0-9=._-]{1,100})*;base64,/i;

/** What of a schema tells where files may be. */
interface Shape {
  readonly 'x-file'?: boolean;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** Replaces base64 `data:` URIs where the schema asks for a file, also in lists of objects. Any other text there is refused by the reader. */
export async function storeDataUris(schema: TObject, value: Params, uploads: Uploads): Promise<void> {
  await storeIn(schema, value, uploads);
}

async function storeIn(shape: Shape, value: unknown, uploads: Uploads): Promise<unknown> {
  if (shape['x-file'] === true) return typeof value === 'string' ? keepDataUri(value, uploads) : value;
  if (typeof value !== 'object' || value === null) return value;
  const { items, properties = {} } = shape;
  const held = value as Params;
  // A list may come as an object whose keys are places.
  for (const key of Object.keys(items === undefined ? properties : value)) {
    const inner = items ?? properties[key];
    if (inner !== undefined && Object.hasOwn(held, key)) held[key] = await storeIn(inner, held[key], uploads);
  }
  return value;
}

async function keepDataUri(text: string, uploads: Uploads): Promise<UploadedFile | string> {
  const match = dataUri.exec(text);
  const bytes = match === null ? undefined : Buffer.from(text.slice(match[0].length), 'base64');
  return bytes === undefined || bytes.length === 0 ? text : uploads.keep(bytes, match?.[1] ?? '');
}
