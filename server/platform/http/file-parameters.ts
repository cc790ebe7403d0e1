import type { TObject } from 'typebox';
import { splitName, type Params, type UploadedFile } from './params.ts';
import type { Uploads } from './uploads.ts';

/** The parts of a schema that say where files may be. */
interface Shape {
  readonly 'x-file'?: boolean;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** Returns whether the parameter of this name, such as `avatar` or `media_attributes[][thumbnail]`, is a file in the schema. */
export function takesFile(schema: TObject, name: string): boolean {
  let shape: Shape | undefined = schema;
  for (const key of splitName(name)) {
    const properties: Shape['properties'] = shape?.properties ?? {};
    shape = shape?.items ?? (Object.hasOwn(properties, key) ? properties[key] : undefined);
  }
  return shape?.['x-file'] === true;
}

const dataUri = /^data:([a-z0-9.+/-]{0,100})(?:;[a-z0-9=._-]{1,100})*;base64,/i;

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
  return bytes === undefined || bytes.length === 0 ? text : uploads.store(bytes, match?.[1] ?? '');
}
