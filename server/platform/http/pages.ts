import { Type } from 'typebox';
import type { App } from '../app.ts';
import { isId } from '../ids.ts';
import { idSchema } from '../id-schema.ts';
import { HttpResponse, JsonText } from './http-response.ts';
import type { RequestContext } from './routes.ts';

/** Default and maximum number of items per page. */
export interface PageLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
}

/** A page of a listing in descending order of id. */
export interface Page {
  readonly limit: number;
  /** Only older items. */
  readonly maxId: string | undefined;
  /** Only newer items, starting with the newest. */
  readonly sinceId: string | undefined;
  /** Only newer items, starting with the oldest: the page directly above. */
  readonly minId: string | undefined;
}

/** The parameters of a paged listing (PAG-02), to be spread into a route's `input`. */
export function pageInput({ defaultLimit, maxLimit }: PageLimits) {
  return {
    max_id: Type.Optional(idSchema<'row'>()),
    since_id: Type.Optional(idSchema<'row'>()),
    min_id: Type.Optional(idSchema<'row'>()),
    limit: Type.Optional(Type.Integer({ description: `${defaultLimit} when not given, at most ${maxLimit}` })),
  };
}

/** Parses the requested page. Its limit: see `clampLimit`. */
export function parsePage(
  input: { max_id?: string; since_id?: string; min_id?: string; limit?: number },
  limits: PageLimits,
): Page {
  return {
    limit: clampLimit(input.limit, limits),
    maxId: input.max_id,
    sinceId: input.min_id === undefined ? input.since_id : undefined,
    minId: input.min_id,
  };
}

/**
 * Clamps the requested number of items (PAG-06): one that is too large counts as the maximum, a negative one as its
 * absolute value, as in Mastodon. With 0 a page is empty.
 */
export const clampLimit = (limit: number | undefined, { defaultLimit, maxLimit }: PageLimits): number =>
  Math.min(Math.abs(limit ?? defaultLimit), maxLimit);

/** Larger offsets are useless to people and slow in the database. */
export const maxOffset = 10_000;

/** Clamps an offset to 0 … `maxOffset`. */
export const clampOffset = (offset = 0): number => Math.min(Math.max(offset, 0), maxOffset);

/**
 * Returns a page with its Link header (PAG-03): absolute URLs that keep the other query parameters, `next` for older items
 * (if `more`) and `prev` for newer ones. There is no header if neither is known, or for an empty last page: Mastodon.py
 * takes a header to mean that there are items. `first` and `last` are the newest and the oldest id of the page before
 * filtering.
 */
export function paginated(
  app: App,
  request: RequestContext,
  page: {
    json: JsonText<unknown> | readonly unknown[];
    first: string | undefined;
    last: string | undefined;
    more: boolean;
    newer?: 'min_id' | 'since_id';
    /** Further headers. */
    headers?: Record<string, string>;
  },
): HttpResponse {
  const links: string[] = [];
  if (page.more && page.last !== undefined) links.push(`<${pageUrl(app, request, 'max_id', page.last)}>; rel="next"`);
  if (page.first !== undefined && (page.more || !isEmpty(page.json))) {
    links.push(`<${pageUrl(app, request, page.newer ?? 'min_id', page.first)}>; rel="prev"`);
  }
  const headers = { ...page.headers, ...(links.length > 0 && { link: links.join(', ') }) };
  return new HttpResponse({ json: page.json, headers });
}

const isEmpty = (json: JsonText<unknown> | readonly unknown[]): boolean =>
  json instanceof JsonText ? json.text === '[]' : json.length === 0;

/** Returns a page with its Link header, for listings paged by offset (search, directory). */
export function paginatedByOffset(
  app: App,
  request: RequestContext,
  page: {
    json: JsonText<unknown> | readonly unknown[];
    offset: number;
    limit: number;
    more: boolean;
    headers?: Readonly<Record<string, string>>;
  },
): HttpResponse {
  const links: string[] = [];
  if (page.more && page.limit > 0) {
    links.push(`<${pageUrl(app, request, 'offset', String(page.offset + page.limit))}>; rel="next"`);
  }
  if (page.offset > 0) {
    links.push(`<${pageUrl(app, request, 'offset', String(Math.max(page.offset - page.limit, 0)))}>; rel="prev"`);
  }
  return new HttpResponse({
    json: page.json,
    headers: { ...page.headers, ...(links.length > 0 && { link: links.join(', ') }) },
  });
}

/**
 * Returns the Link header of a listing that is paged by offset and by id: `next` also names the last id, so that items
 * created or deleted in between do not shift the next page. `last` is undefined if no page follows.
 */
export function offsetLinks(
  app: App,
  request: RequestContext,
  { offset, limit, last }: { offset: number; limit: number; last: string | undefined },
): Record<string, string> {
  const links: string[] = [];
  if (last !== undefined) {
    links.push(`<${pageUrl(app, request, 'offset', String(offset + limit))}&max_id=${last}>; rel="next"`);
  }
  if (offset > 0) links.push(`<${pageUrl(app, request, 'offset', String(Math.max(offset - limit, 0)))}>; rel="prev"`);
  return links.length > 0 ? { link: links.join(', ') } : {};
}

/** Returns a page with its Link header, for listings in the order of a name. `last` is undefined if no page follows. */
export function paginatedByName(
  app: App,
  request: RequestContext,
  { json, last }: { readonly json: readonly unknown[]; readonly last: string | undefined },
): HttpResponse {
  const next = last && `<${pageUrl(app, request, 'after', encodeQueryPart(last))}>; rel="next"`;
  return new HttpResponse({ json, headers: next === undefined ? {} : { link: next } });
}

const cursorParameters = new Set(['max_id', 'since_id', 'min_id', 'offset', 'after', 'access_token']);

function pageUrl(app: App, request: RequestContext, name: string, value: string): string {
  const [path = '', query = ''] = request.url.split('?', 2);
  let otherParameters = '';
  if (query !== '') {
    for (const [key, item] of new URLSearchParams(query)) {
      if (!cursorParameters.has(key) && !(key === 'limit' && !isId(item)))
        otherParameters += `${encodeQueryPart(key)}=${encodeQueryPart(item)}&`;
    }
  }
  return `${app.config.baseUrl}${path}?${otherParameters}${name}=${value}`;
}

/** Commas are encoded too: clients split the header at them (clients.md, row 11). */
const encodeQueryPart = (text: string): string =>
  encodeURIComponent(text).replaceAll('%5B', '[').replaceAll('%5D', ']');
