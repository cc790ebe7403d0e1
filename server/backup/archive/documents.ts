import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { damaged } from '../backup-error.ts';

const name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' });
const count = Type.Integer({ minimum: 0 });

/** The first entry: what this is a backup of. */
export const Manifest = Type.Object({
  format: Type.Literal(1),
  /** Version of Fieldfare. */
  version: Type.String(),
  created_at: Type.String(),
  base_url: Type.String(),
  domain: Type.String(),
});
export type Manifest = Static<typeof Manifest>;

/** Follows the media: the schema of the tables after it. */
export const DatabaseDescription = Type.Object({
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  tables: Type.Array(Type.Object({ name, columns: Type.Array(name, { minItems: 1 }) })),
  /** `is_called`: whether `value` was already returned. */
  sequences: Type.Array(
    Type.Object({ name, value: Type.String({ pattern: '^\\d{1,19}$' }), is_called: Type.Boolean() }),
  ),
});
export type DatabaseDescription = Static<typeof DatabaseDescription>;

/** The last entry before the digest: what must have been read. */
export const Summary = Type.Object({
  /** Rows of each table. */
  rows: Type.Record(Type.String(), count),
  /** `deleted`: files that were deleted while the backup was made. */
  media: Type.Object({ files: count, bytes: count, deleted: count }),
});
export type Summary = Static<typeof Summary>;

/** Parses a JSON entry. Throws BackupError if it does not match the schema. */
export function parseDocument<Schema extends TSchema>(schema: Schema, entry: string, text: string): Static<Schema> {
  const value = parseJson(text);
  if (!Value.Check(schema, value)) throw damaged(`${entry} is invalid`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
