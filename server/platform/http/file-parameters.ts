import type { TObject } from 'typebox';
import { splitParamName, type Params, type UploadedFile } from './parse-params.ts';
import type { Uploads } from './uploads.ts';

/** The parts of a schema that declare file parameters. */
interface FileSchema {
  readonly 'x-file'?: boolean;
  readonly items?: FileSchema;
  readonly properties?: Readonly<Record<string, FileSchema>>;
}

/**
 * Returns whether the parameter of this name, such as `avatar` or `media_attributes[][thumbnail]`, is a file in the
 * schema.
 */
export function isFileParameter(schema: TObject, name: string): boolean {
  let shape: FileSchema | undefined = schema;
  for (const key of splitParamName(name)) {
    const properties: FileSchema['properties'] = shape?.properties ?? {};
    shape = shape?.items ?? (Object.hasOwn(properties, key) ? properties[key] : undefined);
  }
  return shape?.['x-file'] === true;
}

/** Returns whether a schema declares a file parameter, at any depth. */
export function declaresFiles({ 'x-file': isFile, items, properties = {} }: FileSchema): boolean {
  return (
    isFile === true || (items !== undefined && declaresFiles(items)) || Object.values(properties).some(declaresFiles)
  );
}

const dataUri = /^data:([a-z0-9.+/-]{0,100})(?:;[a-z0-9=._-]{1,100})*;base64,/i;

/**
 * Replaces base64 `data:` URIs where the schema asks for a file, also in lists of objects. The parser rejects any other
 * text there.
 */
export async function storeDataUris(schema: TObject, value: Params, uploads: Uploads): Promise<void> {
  await replaceDataUris(schema, value, uploads);
}

async function replaceDataUris(shape: FileSchema, value: unknown, uploads: Uploads): Promise<unknown> {
  if (shape['x-file'] === true) return typeof value === 'string' ? storeDataUri(value, uploads) : value;
  if (typeof value !== 'object' || value === null) return value;
  const { items, properties = {} } = shape;
  const held = value as Params;
  // Clients may send a list as an object with numeric keys.
  for (const key of Object.keys(items === undefined ? properties : value)) {
    const inner = items ?? properties[key];
    if (inner !== undefined && Object.hasOwn(held, key)) held[key] = await replaceDataUris(inner, held[key], uploads);
  }
  return value;
}

async function storeDataUri(text: string, uploads: Uploads): Promise<UploadedFile | string> {
  const match = dataUri.exec(text);
  const bytes = match === null ? undefined : Buffer.from(text.slice(match[0].length), 'base64');
  return bytes === undefined || bytes.length === 0 ? text : uploads.store(bytes, match?.[1] ?? '');
}
