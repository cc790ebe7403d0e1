import { normalizeDomain } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { badRequest, notFound, invalidField, validationFailed } from '../../platform/http/http-errors.ts';
import { isId, type TagId } from '../../platform/ids.ts';
import { findTagById } from '../../tags/index.ts';
import { maxKeys } from '../limits.ts';

/** Parameters of one key. */
export interface KeyParams {
  readonly id?: string | undefined;
  readonly domain?: string | undefined;
}

/** The parameters of a request, by key. */
export type ParamsByKey = Readonly<Record<string, unknown>>;

/** Returns the keys without repeated ones. Throws 422 if there are too many. */
export function parseKeys(keys: readonly string[]): string[] {
  if (keys.length > maxKeys) throw validationFailed('measures.tooManyKeys', { max: maxKeys });
  return [...new Set(keys)];
}

const paramsOf = (params: ParamsByKey, key: string): KeyParams =>
  Object.hasOwn(params, key) ? (params[key] ?? {}) : {};

/** Returns the hashtag that a key names. Throws 400 if it names none, 404 for an unknown one. */
export async function requireTagOf(app: App, params: ParamsByKey, key: string): Promise<TagId> {
  const { id = '' } = paramsOf(params, key);
  if (id === '') throw badRequest('http.missingParameter', { name: `${key}[id]` });
  const tag = isId(id) ? await findTagById(app, id) : undefined;
  if (tag === undefined) throw notFound();
  return tag.id;
}

/** Returns the domain that a key names; empty for the local one. Throws 400 if it names none, 422 for an invalid one. */
export function parseDomainOf({ config }: App, params: ParamsByKey, key: string): string {
  const { domain: text = '' } = paramsOf(params, key);
  if (text.trim() === '') throw badRequest('http.missingParameter', { name: `${key}[domain]` });
  const domain = normalizeDomain(text.trim());
  if (domain === undefined) throw invalidField('domain', 'problems.notDomain');
  return domain === config.domain || domain === config.webDomain ? '' : domain;
}
