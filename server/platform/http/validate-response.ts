import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { HttpResponse, JsonText } from './http-response.ts';
import { emptyBody, isUnknown, mediaTypeOf } from './text-bodies.ts';

/** Throws unless the schema of a route describes the text that it returned. */
function assertTextBody(name: string, schema: TSchema, { headers, text }: HttpResponse): void {
  const type = String(headers['content-type'] ?? '').split(';', 1)[0];
  if (isUnknown(schema) || (mediaTypeOf(schema) === type && (schema !== emptyBody || text === ''))) return;
  throw new Error(`${name} answers ${type}, which its schema does not say`);
}

/** Shared by all servers of a process, because compiling takes milliseconds. */
const validators = new WeakMap<TSchema, Validator>();

async function loadValidator(schema: TSchema): Promise<Validator> {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = (await import('typebox/compile')).Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/** Compares a response with the schema of its route. A difference is a bug and fails the request. */
export async function validateResponse(name: string, schema: TSchema, response: unknown): Promise<void> {
  let value = response;
  if (response instanceof HttpResponse) {
    if (response.status !== 200) return;
    if (response.json === undefined) return assertTextBody(name, schema, response);
    value = response.json;
  }
  const validator = await loadValidator(schema);
  const plain: unknown = JSON.parse(value instanceof JsonText ? value.text : JSON.stringify(value));
  if (validator.Check(plain)) return;
  const [first] = validator.Errors(plain);
  throw new Error(`${name} answers what its schema does not say: ${first?.instancePath} ${first?.message}`);
}
