import { Type } from 'typebox';
import type { App } from '../app.ts';
import { idSchema, isId } from '../ids.ts';
import { Answer, JsonText } from './answers.ts';
import type { RequestFacts } from './routes.ts';

/** Default and largest number of items of a listing. */
export interface PageLimits {
  readonly standard: number;
  readonly most: number;
}

/** One page of a listing that is ordered from new to old by an id. */
export interface Page {
  readonly limit: number;
  /** Older than this. */
  readonly maxId: string | undefined;
  /** Newer than this, from the newest on. */
  readonly sinceId: string | undefined;
  /** Newer than this, from the oldest on: the page right above. */
  readonly minId: string | undefined;
}

/** The parameters of a paged listing (PAG-02), to be spread into a route's `input`. */
export function pageInput({ standard, most }: PageLimits) {
  return {
    max_id: Type.Optional(idSchema<'row'>()),
    since_id: Type.Optional(idSchema<'row'>()),
    min_id: Type.Optional(idSchema<'row'>()),
    limit: Type.Optional(Type.Integer({ description: `${standard} when not given, at most ${most}` })),
  };
}

/** Reads the page asked for: a limit that is none counts as not given, one too large as the largest (PAG-06). */
export function readPage(
  input: { max_id?: string; since_id?: string; min_id?: string; limit?: number },
  limits: PageLimits,
): Page {
  return {
    limit: readLimit(input.limit, limits),
    maxId: input.max_id,
    sinceId: input.min_id === undefined ? input.since_id : undefined,
    minId: input.min_id,
  };
}

/** How many are asked for, within the limits. */
export function readLimit(limit: number | undefined, { standard, most }: PageLimits): number {
  return limit === undefined || limit < 1 ? standard : Math.min(limit, most);
}

/** Further on nobody looks, and the database takes no larger number. */
export const mostOffset = 10_000;

/** How many are left out, within what the database takes. */
export const readOffset = (offset = 0): number => Math.min(Math.max(offset, 0), mostOffset);

/**
 * A page as an answer with its Link header (PAG-03): absolute URLs that keep the other query parameters, `next` to what
 * is older (when `more`), `prev` to what is newer; no header when neither is known, nor for an empty last page (Mastodon.py
 * takes a header to mean that there are items). `first` and `last` are the ids of the newest and the oldest row of the page
 * before anything was left out of it.
 */
export function paginated(
  app: App,
  request: RequestFacts,
  page: {
    json: JsonText<unknown> | readonly unknown[];
    first: string | undefined;
    last: string | undefined;
    more: boolean;
    newer?: 'min_id' | 'since_id';
  },
): Answer {
  const links: string[] = [];
  if (page.more && page.last !== undefined) links.push(`<${linkTo(app, request, 'max_id', page.last)}>; rel="next"`);
  if (page.first !== undefined && (page.more || !isEmpty(page.json))) {
    links.push(`<${linkTo(app, request, page.newer ?? 'min_id', page.first)}>; rel="prev"`);
  }
  return new Answer({ json: page.json, headers: links.length > 0 ? { link: links.join(', ') } : {} });
}

const isEmpty = (json: JsonText<unknown> | readonly unknown[]): boolean =>
  json instanceof JsonText ? json.text === '[]' : json.length === 0;

/** A page as an answer, for listings that are walked by offset (search, directory). */
export function paginatedByOffset(
  app: App,
  request: RequestFacts,
  page: { json: JsonText<unknown> | readonly unknown[]; offset: number; limit: number; more: boolean },
): Answer {
  const links: string[] = [];
  if (page.more) links.push(`<${linkTo(app, request, 'offset', String(page.offset + page.limit))}>; rel="next"`);
  if (page.offset > 0) {
    links.push(`<${linkTo(app, request, 'offset', String(Math.max(page.offset - page.limit, 0)))}>; rel="prev"`);
  }
  return new Answer({ json: page.json, headers: links.length > 0 ? { link: links.join(', ') } : {} });
}

/**
 * Link header of a listing that is walked by offset but knows better: `next` names the last row beside the offset, so that
 * what comes or goes meanwhile shifts nothing. `last`: of a page that may have more behind it.
 */
export function offsetLinks(
  app: App,
  request: RequestFacts,
  { offset, limit, last }: { offset: number; limit: number; last: string | undefined },
): Record<string, string> {
  const links: string[] = [];
  if (last !== undefined) {
    links.push(`<${linkTo(app, request, 'offset', String(offset + limit))}&max_id=${last}>; rel="next"`);
  }
  if (offset > 0) links.push(`<${linkTo(app, request, 'offset', String(Math.max(offset - limit, 0)))}>; rel="prev"`);
  return links.length > 0 ? { link: links.join(', ') } : {};
}

const cursors = new Set(['max_id', 'since_id', 'min_id', 'offset', 'access_token']);

function linkTo(app: App, request: RequestFacts, name: string, value: string): string {
  const [path = '', query = ''] = request.url.split('?', 2);
  let kept = '';
  if (query !== '') {
    for (const [key, item] of new URLSearchParams(query)) {
      if (!cursors.has(key) && !(key === 'limit' && !isId(item))) kept += `${encodeQuery(key)}=${encodeQuery(item)}&`;
    }
  }
  return `${app.config.baseUrl}${path}?${kept}${name}=${value}`;
}

/** Commas are encoded too: clients split the header at them (clients.md, row 11). */
const encodeQuery = (text: string): string => encodeURIComponent(text).replaceAll('%5B', '[').replaceAll('%5D', ']');
