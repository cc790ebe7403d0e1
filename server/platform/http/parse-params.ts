import type { TSchema } from 'typebox';
import { Type, type TUnsafe } from 'typebox';
import { isId, noId } from '../ids.ts';
import { badRequest, invalidFieldsError, invalidParameter, notFound } from './http-errors.ts';
import { message } from '../i18n/message.ts';

export type Params = { [key: string]: unknown };

/** What is known of a file that came with a request. */
interface FileInfo {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly filename: string;
  /** As the client declares it; never trust it. */
  readonly contentType: string;
}

/**
 * A file that came with a request; its temporary copy is gone once the answer is sent. A class, because a body of JSON
 * may hold an object that looks like one and names any path.
 */
export class UploadedFile implements FileInfo {
  readonly path: string;
  readonly size: number;
  readonly filename: string;
  readonly contentType: string;

  constructor({ path, size, filename, contentType }: FileInfo) {
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

const maxParameters = 5_000;
const maxDepth = 16;

/**
 * Reads names like `poll[options][]` into nested objects and lists, as Rack does: in a list of objects, a key that
 * comes again starts the next object. Names that reach for a prototype stay plain keys.
 */
export function nestParams(pairs: Iterable<readonly [string, unknown]>): Params {
  const root: Params = Object.create(null);
  let count = 0;
  for (const [name, value] of pairs) {
    if ((count += 1) > maxParameters) throw badRequest('http.tooManyParameters');
    const path = splitParamName(name);
    if (path.length > maxDepth) throw badRequest('http.parametersTooDeep');
    insert(root, path, value);
  }
  return root;
}

/** Returns the keys of a bracketed name: `a[b][]` is `a`, `b` and an empty one. */
export function splitParamName(name: string): string[] {
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
    insert(getObject(target, key), rest, value);
  } else if (rest.length === 1) {
    getList(target, key).push(value);
  } else {
    const list = getList(target, key);
    const inner = rest.slice(1);
    const last = list.at(-1);
    if (isParams(last) && !hasValueAt(last, inner)) return insert(last, inner, value);
    const next: Params = Object.create(null);
    list.push(next);
    insert(next, inner, value);
  }
}

/** Whether the object of a list already has a value at this name, so that the next object begins. */
function hasValueAt(item: Params, [key = '', ...rest]: readonly string[]): boolean {
  if (!(key in item)) return false;
  if (rest.length === 0) return true;
  const inner = item[key];
  return rest[0] !== '' && isParams(inner) && hasValueAt(inner, rest);
}

function getObject(target: Params, key: string): Params {
  const found = target[key];
  if (isParams(found)) return found;
  return (target[key] = Object.create(null) as Params);
}

function getList(target: Params, key: string): unknown[] {
  const found = target[key];
  if (Array.isArray(found)) return found;
  return (target[key] = []);
}

function isParams(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** What of a schema the reader looks at. */
interface ParamSchema {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: Record<string, TSchema>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ParamSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: boolean | TSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly 'x-id'?: boolean | 'unchecked' | 'filter';
  readonly 'x-file'?: boolean;
  /** Errors name the place of an item in the list: `posts[2].status`. */
  readonly 'x-indexed'?: boolean;
}

/**
 * Turns what a request said into what `schema` (an object) asks for. Keys that the schema does not know are dropped,
 * and nulls that it does not name; text becomes numbers and booleans as Rails casts them; a blank id, an unreadable
 * optional number, and plain text in place of an object count as not sent. A number beyond the bounds of the schema
 * becomes the nearest bound. `minItems`, `maxItems`, `pattern` and the like are not checked here.
 * Throws 400 naming a missing parameter, 404 for an invalid id, 422 naming a parameter of the wrong type.
 */
export function parseParams(schema: TSchema, value: Params): Params {
  return parseObject(schema, value, '');
}

/** Reads the parameters of a path as `readParams` does. Throws 404 for a blank one. */
export function parsePathParams(schema: TSchema, value: Params): Params {
  if (Object.values(value).some(isBlank)) throw notFound();
  return parseParams(schema, value);
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

function parseObject(shape: ParamSchema, value: Params, path: string): Params {
  const result: Params = {};
  for (const [key, property] of Object.entries(shape.properties ?? {})) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    const parsed = given === undefined ? undefined : parseProperty(property, given, joinPath(path, key));
    if (parsed !== undefined) result[key] = parsed;
    else if (shape.required?.includes(key)) throw badRequest('http.missingParameter', { name: joinPath(path, key) });
  }
  if (shape.additionalProperties !== undefined && shape.additionalProperties !== false) {
    for (const [key, item] of Object.entries(value)) {
      if (result[key] === undefined && item !== null && item !== undefined && key !== '__proto__') result[key] = item;
    }
  }
  return result;
}

/** Parses the value of a property. A null counts as not sent, unless the schema names it. */
function parseProperty(shape: ParamSchema, value: unknown, path: string): unknown {
  if (value !== null) return parseValue(shape, value, path);
  return shape.anyOf?.some(({ type }) => type === 'null') === true ? null : undefined;
}

function parseValue(shape: ParamSchema, value: unknown, path: string): unknown {
  if (shape['x-id'] !== undefined && isBlank(value)) return undefined;
  if (shape['x-id'] === true) return parseId(value);
  if (shape['x-id'] === 'filter') return toId(value) ?? noId;
  if (shape['x-file'] === true) return assertFile(value, path);
  if (shape.enum !== undefined || shape.const !== undefined) return parseChoice(shape, value, path);
  if (shape.anyOf !== undefined) return parseUnion(shape.anyOf, value, path);
  switch (shape.type) {
    case 'boolean':
      return parseBoolean(value);
    case 'integer':
    case 'number':
      return parseNumber(shape, value);
    case 'string':
      return parseText(value, path, Math.max(shape.maxLength ?? 0, maxTextLength));
    case 'array':
      return isScalarForObjects(shape, value) ? undefined : parseList(shape, value, path);
    case 'object':
      return isParams(value) ? parseObject(shape, value, path) : undefined;
    default:
      return value;
  }
}

/** Returns whether a plain value was sent instead of a list of objects: masto.js sends the word `undefined`. */
const isScalarForObjects = ({ items }: ParamSchema, value: unknown): boolean =>
  (items as ParamSchema | undefined)?.type === 'object' && !Array.isArray(value) && !isParams(value);

function parseId(value: unknown): string {
  const id = toId(value);
  if (id === undefined) throw notFound();
  return id;
}

function toId(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && isId(text) ? text : undefined;
}

function assertFile(value: unknown, path: string): UploadedFile | undefined {
  if (value === '') return undefined;
  if (!(value instanceof UploadedFile)) throw invalidParameter(path, 'problems.notAFile');
  return value;
}

function parseChoice(shape: ParamSchema, value: unknown, path: string): unknown {
  const text = parseText(value, path);
  if (text === '') return undefined;
  const choices = shape.enum ?? [shape.const];
  if (!choices.includes(text)) throw invalidParameter(path, 'problems.notAmong', { choices: choices.join(', ') });
  return text;
}

/** A union of literals is a choice; otherwise the first member that can read the value wins. */
function parseUnion(members: readonly ParamSchema[], value: unknown, path: string): unknown {
  if (members.every((member) => member.const !== undefined)) {
    return parseChoice({ enum: members.map((member) => member.const) }, value, path);
  }
  let failure: unknown;
  for (const member of members) {
    if (member.type === 'null') continue;
    if (member.type === 'string' && typeof value === 'object') continue;
    try {
      return parseValue(member, value, path);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? invalidParameter(path, 'problems.invalid');
}

const falsy = new Set(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF', 'False', 'Off']);

function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (typeof value !== 'string' || value === '') return undefined;
  return !falsy.has(value);
}

function parseNumber(
  { type, minimum = -Infinity, maximum = Infinity }: ParamSchema,
  value: unknown,
): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const bounded = Math.min(Math.max(number, minimum), maximum);
  return type === 'integer' ? Math.trunc(bounded) : bounded;
}

/**
 * Code points of any text parameter: four for each character of the longest text, the description of a file. What is
 * stored has tighter limits (`exceedsLimit` in server/text). A schema may allow more by `maxLength`.
 */
const maxTextLength = 40_000;

function parseText(value: unknown, path: string, maxLength = maxTextLength): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw invalidParameter(path, 'problems.invalid');
  }
  // PostgreSQL takes neither NUL nor half a surrogate pair.
  const text = String(value).replaceAll('\0', '').toWellFormed();
  if (text.length > maxLength && [...text].length > maxLength) {
    throw invalidFieldsError([
      { field: path, error: 'ERR_TOO_LONG', description: message('problems.tooLongUnbounded') },
    ]);
  }
  return text;
}

/** A list may come as a list, as one value, or as an object with the keys 0, 1, 2. */
function parseList({ items, 'x-indexed': isIndexed = false }: ParamSchema, value: unknown, path: string): unknown[] {
  if (value === '') return [];
  const list = Array.isArray(value) ? value : isParams(value) && hasNumericKeys(value) ? Object.values(value) : [value];
  if (items === undefined) return list;
  const shape = items as ParamSchema;
  return list.flatMap((item, index) => {
    if (item === null || item === undefined) return [];
    if (shape['x-id'] === true && (typeof item === 'object' || !isId(String(item)))) return [];
    const parsed = parseValue(shape, item, isIndexed ? `${path}[${index}]` : path);
    if (parsed === undefined && shape.type === 'integer') throw invalidParameter(path, 'problems.invalid');
    return parsed === undefined ? [] : [parsed];
  });
}

function hasNumericKeys(value: Params): boolean {
  return Object.keys(value).every((key) => /^\d+$/.test(key));
}

/** Returns the name of a parameter for errors: `poll[options]`, and `posts[2].status` in an indexed list. */
function joinPath(path: string, key: string): string {
  if (path === '') return key;
  return /\[\d+\]$/.test(path) ? `${path}.${key}` : `${path}[${key}]`;
}
