import type { TSchema } from 'typebox';
import { HttpResponse, JsonText } from './http-response.ts';

/** Constant fields by the title of an entity, for an application that requires them. */
export type ExtraFields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Adds the fields to a response that is such an entity or a list of them. `schema`: the one of the response. */
export function addExtraFields(response: unknown, schema: TSchema, extraFields: ExtraFields): unknown {
  const fields = extraFields[titleOf(schema) ?? ''];
  if (fields === undefined) return response;
  if (!(response instanceof HttpResponse)) return withFields(response, fields);
  const { status, headers, json } = response;
  if (status !== 200 || json === undefined) return response;
  return new HttpResponse({ status, headers: { ...headers }, json: withFields(json, fields) });
}

/** Returns the title of an entity, or of the items of a list. */
function titleOf(schema: TSchema): string | undefined {
  const { title, items } = schema as { readonly title?: string; readonly items?: { readonly title?: string } };
  return title ?? items?.title;
}

function withFields(value: unknown, fields: object): unknown {
  const plain: unknown = value instanceof JsonText ? JSON.parse(value.text) : value;
  return Array.isArray(plain)
    ? plain.map((item: object) => ({ ...item, ...fields }))
    : { ...(plain as object), ...fields };
}
