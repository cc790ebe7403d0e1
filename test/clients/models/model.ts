import { Type, type TProperties, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** The entities that a client decodes, by name. A reference to another one is `Type.Ref(name)`. */
export type Model = Readonly<Record<string, TSchema>>;

export const text = Type.String();
export const whole = Type.Integer();
/** A number that fits into 32 bits. */
export const int32 = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
/** A number that may be written as text. */
export const digits = Type.Union([int32, Type.String({ pattern: '^\\d{1,10}$' })]);
/** A text that may be written as a number. */
export const loose = Type.Union([Type.String(), Type.Integer()]);
export const decimal = Type.Number();
export const flag = Type.Boolean();
/** Accepted by strict parsers of dates: ISO 8601, UTC, with milliseconds. */
export const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
/** Accepted by parsers of URLs that know no spaces, other scripts or empty texts. */
export const url = Type.String({ pattern: '^https?://[!-~]+$' });

/** Absent or null is accepted. */
export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
/** Absent is accepted, because there is a default, but null is not. */
export const notNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
export const list = <Schema extends TSchema>(schema: Schema) => Type.Array(schema);
export const ref = (name: string) => Type.Ref(name);
/** Flags with these names. */
export const flags = (...names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, flag]));
/** Required texts with these names. */
export const texts = (...names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, text]));
/** Optional members with these names. */
export const optionals = (schema: TSchema, ...names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, optional(schema)]));
export const object = (properties: TProperties) => Type.Object(properties);

const validators = new WeakMap<Model, Map<string, Validator>>();

/** Returns the validator of an entity, which is compiled once. */
function validatorOf(model: Model, entity: string): Validator {
  const compiled = validators.get(model) ?? new Map<string, Validator>();
  validators.set(model, compiled);
  const validator = compiled.get(entity) ?? Compile(Type.Cyclic(model as Record<string, TSchema>, entity));
  compiled.set(entity, validator);
  return validator;
}

/** Returns why a client with this model cannot decode a value; empty if it can, or does not know the entity. */
export function findProblems(model: Model, entity: string, value: unknown): string[] {
  if (model[entity] === undefined) return [];
  const validator = validatorOf(model, entity);
  if (validator.Check(value)) return [];
  return validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
