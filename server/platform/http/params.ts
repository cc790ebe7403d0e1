import type { TSchema } from 'typebox';
import { Type, type TUnsafe } from 'typebox';
import { isId } from '../ids.ts';
import { badRequest, invalid, invalidFields, notFound } from './problems.ts';

export type Params = { [key: string]: unknown };

/** What is known of a file that came with a request. */
interface FileFacts {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly filename: string;
  /** As the client called it; never believe it. */
  readonly contentType: string;
}

/**
 * A file that came with a request; its temporary copy is gone once the answer is sent. A class, because a body of JSON
 * may hold an object that looks like one and names any path.
 */
export class UploadedFile implements FileFacts {
  readonly path: string;
  readonly size: number;
  readonly filename: string;
  readonly contentType: string;

  constructor({ path, size, filename, contentType }: FileFacts) {
    this.path = path;
    this.size = size;
    this.filename = filename;
    this.contentType = contentType;
  }
}

/** Schema of a file: a multipart part, or a base64 `data:` URI in any other encoding. */
export function fileSchema(): TUnsafe<UploadedFile> {
  return Type.Unsafe<UploadedFile>({ 'x-file': true });
}

const mostPairs = 5_000;
const deepest = 16;

/**
 * Reads names like `poll[options][]` into nested objects and lists, as Rack does: in a list of objects, a key that
 * comes again starts the next object. Names that reach for a prototype stay plain keys.
 */
export function nest(pairs: Iterable<readonly [string, unknown]>): Params {
  const root: Params = Object.create(null);
  let count = 0;
  for (const [name, value] of pairs) {
    if ((count += 1) > mostPairs) throw badRequest('Too many parameters');
    const path = splitName(name);
    if (path.length > deepest) throw badRequest('Parameters are nested too deeply');
    insert(root, path, value);
  }
  return root;
}

/** Returns the keys of a bracketed name: `a[b][]` is `a`, `b` and an empty one. */
export function splitName(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0) return [name];
  const path = [name.slice(0, open)];
  for (const part of name.slice(open + 1).split('[')) path.push(part.replace(/\]$/, ''));
  return path;
}

function insert(target: Params, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    target[key] = value;
  } else if (rest[0] !== '') {
    insert(objectAt(target, key), rest, value);
  } else if (rest.length === 1) {
    listAt(target, key).push(value);
  } else {
    const list = listAt(target, key);
    const inner = rest.slice(1);
    const last = list.at(-1);
    if (isParams(last) && !isTaken(last, inner)) return insert(last, inner, value);
    const next: Params = Object.create(null);
    list.push(next);
    insert(next, inner, value);
  }
}

/** Whether the object of a list already has a value at this name, so that the next object begins. */
function isTaken(item: Params, [key = '', ...rest]: readonly string[]): boolean {
  if (!(key in item)) return false;
  if (rest.length === 0) return true;
  const inner = item[key];
  return rest[0] !== '' && isParams(inner) && isTaken(inner, rest);
}

function objectAt(target: Params, key: string): Params {
  const found = target[key];
  if (isParams(found)) return found;
  return (target[key] = Object.create(null) as Params);
}

function listAt(target: Params, key: string): unknown[] {
  const found = target[key];
  if (Array.isArray(found)) return found;
  return (target[key] = []);
}

function isParams(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** What of a schema the reader looks at. */
interface Shape {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: Record<string, TSchema>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: boolean | TSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-id'?: boolean | 'unchecked';
  readonly 'x-file'?: boolean;
}

/**
 * Turns what a request said into what `schema` (an object) asks for. Nulls and keys that the schema does not know are
 * dropped, text becomes numbers and booleans as Rails casts them; a blank id, an unreadable optional number, and plain
 * text in place of an object count as not sent. A number beyond the bounds of the schema becomes the nearest bound.
 * Throws 400 naming a missing parameter, 404 for an id that is none, 422 naming a parameter of the wrong kind.
 */
export function readParams(schema: TSchema, value: Params): Params {
  return readObject(schema, value, '');
}

/** Reads the parameters of a path as `readParams` does. Throws 404 for a blank one. */
export function readPathParams(schema: TSchema, value: Params): Params {
  if (Object.values(value).some(isBlank)) throw notFound();
  return readParams(schema, value);
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

function readObject(shape: Shape, value: Params, path: string): Params {
  const result: Params = {};
  for (const [key, property] of Object.entries(shape.properties ?? {})) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    const read = given === undefined || given === null ? undefined : readValue(property, given, join(path, key));
    if (read !== undefined) result[key] = read;
    else if (shape.required?.includes(key))
      throw badRequest(`param is missing or the value is empty: ${join(path, key)}`);
  }
  if (shape.additionalProperties !== undefined && shape.additionalProperties !== false) {
    for (const [key, item] of Object.entries(value)) {
      if (result[key] === undefined && item !== null && item !== undefined && key !== '__proto__') result[key] = item;
    }
  }
  return result;
}

function readValue(shape: Shape, value: unknown, path: string): unknown {
  if (shape['x-id'] !== undefined && isBlank(value)) return undefined;
  if (shape['x-id'] === true) return readId(value);
  if (shape['x-file'] === true) return readFile(value, path);
  if (shape.enum !== undefined || shape.const !== undefined) return readChoice(shape, value, path);
  if (shape.anyOf !== undefined) return readUnion(shape.anyOf, value, path);
  switch (shape.type) {
    case 'boolean':
      return readBoolean(value);
    case 'integer':
    case 'number':
      return readNumber(shape, value);
    case 'string':
      return readText(value, path);
    case 'array':
      return isTextForObjects(shape, value) ? undefined : readList(shape, value, path);
    case 'object':
      return isParams(value) ? readObject(shape, value, path) : undefined;
    default:
      return value;
  }
}

/** Says whether something plain stands where a list of objects is asked for: masto.js sends the word `undefined`. */
const isTextForObjects = ({ items }: Shape, value: unknown): boolean =>
  (items as Shape | undefined)?.type === 'object' && !Array.isArray(value) && !isParams(value);

function readId(value: unknown): string {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !isId(text)) throw notFound();
  return text;
}

function readFile(value: unknown, path: string): UploadedFile | undefined {
  if (value === '') return undefined;
  if (!(value instanceof UploadedFile)) throw invalid(`${path} is not a file`);
  return value;
}

function readChoice(shape: Shape, value: unknown, path: string): unknown {
  const text = readText(value, path);
  if (text === '') return undefined;
  const choices = shape.enum ?? [shape.const];
  if (!choices.includes(text)) throw invalid(`${path} is not one of ${choices.join(', ')}`);
  return text;
}

/** A union of literals is a choice; otherwise the first member that can read the value wins. */
function readUnion(members: readonly Shape[], value: unknown, path: string): unknown {
  if (members.every((member) => member.const !== undefined)) {
    return readChoice({ enum: members.map((member) => member.const) }, value, path);
  }
  let failure: unknown;
  for (const member of members) {
    if (member.type === 'null') continue;
    if (member.type === 'string' && typeof value === 'object') continue;
    try {
      return readValue(member, value, path);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? invalid(`${path} is invalid`);
}

const falsy = new Set(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF', 'False', 'Off']);

function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (typeof value !== 'string' || value === '') return undefined;
  return !falsy.has(value);
}

function readNumber({ type, minimum = -Infinity, maximum = Infinity }: Shape, value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const bounded = Math.min(Math.max(number, minimum), maximum);
  return type === 'integer' ? Math.trunc(bounded) : bounded;
}

/**
 * Code points of any text parameter: four for each character of the longest text, the description of a file. What is
 * stored has tighter limits (`exceedsLimit` in server/text).
 */
const maxTextLength = 40_000;

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw invalid(`${path} is invalid`);
  }
  // PostgreSQL takes neither NUL nor half a surrogate pair.
  const text = String(value).replaceAll('\0', '').toWellFormed();
  if (text.length > maxTextLength && [...text].length > maxTextLength) {
    throw invalidFields([{ field: path, error: 'ERR_TOO_LONG', description: 'is too long' }]);
  }
  return text;
}

/** A list may come as a list, as one value, or as an object with the keys 0, 1, 2. */
function readList({ items }: Shape, value: unknown, path: string): unknown[] {
  if (value === '') return [];
  const list = Array.isArray(value) ? value : isParams(value) && isNumbered(value) ? Object.values(value) : [value];
  if (items === undefined) return list;
  const shape = items as Shape;
  return list.flatMap((item) => {
    if (item === null || item === undefined) return [];
    if (shape['x-id'] === true && (typeof item === 'object' || !isId(String(item)))) return [];
    const read = readValue(shape, item, path);
    if (read === undefined && shape.type === 'integer') throw invalid(`${path} is invalid`);
    return read === undefined ? [] : [read];
  });
}

function isNumbered(value: Params): boolean {
  return Object.keys(value).every((key) => /^\d+$/.test(key));
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}[${key}]`;
}
