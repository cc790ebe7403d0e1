interface JsonSchema {
  readonly [key: string]: unknown;
}

/** The named schemas of an OpenAPI document: each is described once, and referred to from everywhere else. */
export class SchemaRegistry {
  readonly #byName = new Map<string, JsonSchema>();

  /** Returns a schema as plain JSON Schema. An object with a title becomes a component and a reference to it. */
  describe(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.describe(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const shape = schema as JsonSchema;
    if ('x-file' in shape) return fileSchema;
    const choices = literalValues(shape);
    if (choices !== undefined) return { type: 'string', enum: choices };
    const { title } = shape;
    if (typeof title !== 'string' || !('properties' in shape || 'allOf' in shape)) return this.#plain(shape);
    return this.register(title, this.#plain(shape));
  }

  /** Adds a component and returns a reference to it. Throws if the name already stands for something else. */
  register(title: string, component: JsonSchema): JsonSchema {
    // OpenAPI allows no colons: Admin::Account becomes AdminAccount.
    const name = title.replaceAll('::', '');
    const known = this.#byName.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two schemas are named ${name}`);
    }
    this.#byName.set(name, component);
    return { $ref: `#/components/schemas/${name}` };
  }

  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#byName].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #plain(shape: JsonSchema): JsonSchema {
    const result: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(shape)) {
      if (key === 'properties') result[key] = this.#properties(value as JsonSchema);
      // The reader's own marks, and names that the reference already carries.
      else if (!key.startsWith('x-') && key !== 'title') result[key] = this.describe(value);
    }
    return result;
  }

  /** Unlike the keywords of a schema, the names of its properties are kept whatever they are. */
  #properties(properties: JsonSchema): JsonSchema {
    return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, this.describe(value)]));
  }
}

const fileSchema = {
  type: 'string',
  format: 'binary',
  description: 'A part of a multipart body; in any other body a base64 `data:` URI.',
};

/** The texts of a union of literals. */
function literalValues({ anyOf }: JsonSchema): unknown[] | undefined {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return undefined;
  const values = anyOf.map((member: JsonSchema) => member['const']);
  return values.every((value) => typeof value === 'string') ? values : undefined;
}
