import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../app.ts';
import { buildOpenApi } from '../platform/documentation/openapi.ts';
import { projectRoot } from './command-config.ts';

/** Where the types are stored. */
export const entityTypesPath = join(projectRoot, 'web', 'src', 'api', 'entities.ts');

/** The parts of JSON Schema that the OpenAPI document contains. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/**
 * Returns the TypeScript types of the API's entities for the web client, from the OpenAPI document.
 * `node bin/run.mjs server/cli/entity-types.ts` writes them.
 */
export function entityTypes(): string {
  const info = { title: '', version: '', url: 'https://localhost', scopes: {} };
  const { components } = buildOpenApi(routes, info) as { components: { schemas: Record<string, Schema> } };
  const declarations = Object.entries(components.schemas)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => declare(name, schema));
  return `${introduction}${declarations.join('\n')}`;
}

const introduction = `// The entities of the API, generated from the server's routes: \`node bin/run.mjs server/cli/entity-types.ts\` writes this file.

`;

function declare(name: string, schema: Schema): string {
  const comment = schema.description === undefined ? '' : `/** ${escapeComment(schema.description)} */\n`;
  const isInterface = schema.properties !== undefined && schema.allOf === undefined && schema.anyOf === undefined;
  if (isInterface) return `${comment}export interface ${typeName(name)} ${renderObject(schema, 0)}\n`;
  return `${comment}export type ${typeName(name)} = ${render(schema, 0)};\n`;
}

/** `Admin::Account` becomes `AdminAccount`, and names of the language get another. */
const typeName = (name: string): string => (name === 'Error' ? 'ErrorBody' : name.replaceAll(/\W/g, ''));

const escapeComment = (text: string): string => text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ');

function render(schema: Schema, depth: number): string {
  const { $ref, type, allOf } = schema;
  const options = schema.anyOf ?? schema.oneOf;
  if ($ref !== undefined) return typeName($ref.slice($ref.lastIndexOf('/') + 1));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  if (options !== undefined) return union(options.map((option) => render(option, depth)));
  if (allOf !== undefined) return allOf.map((part) => render(part, depth)).join(' & ');
  if (typeof type === 'object') return union(type.map((one) => render({ ...schema, type: one }, depth)));
  return renderType(schema, depth);
}

function renderType(schema: Schema, depth: number): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return renderArray(schema, depth);
    case 'object':
      return renderObject(schema, depth);
    default:
      return schema.properties === undefined ? 'unknown' : renderObject(schema, depth);
  }
}

function renderArray({ items }: Schema, depth: number): string {
  if (items === undefined) return 'readonly unknown[]';
  if (Array.isArray(items)) return `readonly [${items.map((item) => render(item as Schema, depth)).join(', ')}]`;
  const item = render(items as Schema, depth);
  return `readonly ${/^\w+$/.test(item) ? item : `(${item})`}[]`;
}

function renderObject({ properties, required = [], ...schema }: Schema, depth: number): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const [pattern] = Object.values(schema.patternProperties ?? {});
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : pattern;
    return `Readonly<Record<string, ${values === undefined ? 'unknown' : render(values, depth)}>>`;
  }
  const indent = '  '.repeat(depth + 1);
  const lines = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    const comment =
      property.description === undefined ? '' : `${indent}/** ${escapeComment(property.description)} */\n`;
    return `${comment}${indent}readonly ${key}${required.includes(name) ? '' : '?'}: ${render(property, depth + 1)};\n`;
  });
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`;
}

const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ');

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : JSON.stringify(value);

if (import.meta.main) writeFileSync(entityTypesPath, entityTypes());
