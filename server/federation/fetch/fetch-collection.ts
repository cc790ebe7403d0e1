import type { App } from '../../platform/app.ts';
import { DocumentError } from '../documents/parse-document.ts';
import {
  hostOf,
  idOf,
  isHttpUrl,
  isObject,
  listOf,
  numberOf,
  isSameHost,
  typesOf,
  type Json,
} from '../documents/values.ts';
import { FetchError, fetchDocument } from './fetch-document.ts';

const collectionTypes: ReadonlySet<string> = new Set([
  'Collection',
  'OrderedCollection',
  'CollectionPage',
  'OrderedCollectionPage',
]);

/** Maximum number of pages and items to read of a collection. */
export interface CollectionLimits {
  /** Includes the first page. */
  readonly pages: number;
  readonly items: number;
}

/** The items that were read from a collection. */
export interface CollectionItems {
  readonly items: readonly unknown[];
  /** Excludes embedded pages, which need no request. */
  readonly fetchedPages: number;
  /** All items were read. */
  readonly complete: boolean;
}

/**
 * Returns a collection or page of the server of `owner`: the value itself if it is embedded, or fetched by its URL.
 * Throws a FetchError or DocumentError.
 */
export async function fetchCollection(app: App, value: unknown, owner: string): Promise<Json> {
  if (isObject(value) && isCollection(value)) return value;
  const url = idOf(value);
  if (!isHttpUrl(url) || !isSameHost(url, owner))
    throw new DocumentError(`${String(url)} is no collection of ${owner}`);
  const { document, url: from } = await fetchDocument(app, url);
  const id = idOf(document);
  if (hostOf(from) !== hostOf(owner) || (id !== undefined && !isSameHost(id, owner)))
    throw new DocumentError(`${url} was given by another server`);
  if (!isCollection(document)) throw new DocumentError(`${url} is no collection`);
  return document;
}

/** Returns the number of items that a collection declares; undefined if it does not. */
export const totalItemsOf = (collection: Json): number | undefined => numberOf(collection['totalItems']);

/** Whether a collection lists its items. */
export const exposesItems = (collection: Json): boolean =>
  collection['first'] !== undefined || itemsOf(collection).length > 0;

/**
 * Returns the items of a collection of `owner`, page by page up to the limits. Stops at a page that cannot be fetched.
 * Throws a FetchError or DocumentError if the collection itself cannot be fetched.
 */
export async function fetchCollectionItems(
  app: App,
  value: unknown,
  owner: string,
  { pages, items: maxItems }: CollectionLimits,
): Promise<CollectionItems> {
  const collection = await fetchCollection(app, value, owner);
  const reading = new PageReader(app, owner, { pages, items: maxItems }, collection === value ? 0 : 1);
  reading.addItems(collection);
  await reading.readPages(collection['first']);
  return reading.result();
}

/** A part of a collection, with where the next part begins. */
export interface CollectionPart {
  readonly items: readonly unknown[];
  /** Undefined at the end of the collection. */
  readonly next: { readonly page: string; readonly offset: number } | undefined;
}

/**
 * Returns the items of a collection of `owner` from an item of one of its pages on, up to the limits. `page`: URL of the
 * collection or a page; `offset`: number of its items to skip. Throws a FetchError or DocumentError if that page cannot be
 * fetched; stops at a later one.
 */
export async function fetchCollectionPart(
  app: App,
  start: { readonly page: string; readonly offset: number },
  owner: string,
  limits: CollectionLimits,
): Promise<CollectionPart> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let next: CollectionPart['next'] = start;
  while (next !== undefined && seen.size < limits.pages && items.length < limits.items) {
    const { page, offset }: { readonly page: string; readonly offset: number } = next;
    if (seen.has(page)) return { items, next: undefined };
    seen.add(page);
    const body = await fetchPart(app, page, owner, items.length > 0);
    if (body === undefined) break;
    const found = itemsOf(body);
    const taken = found.slice(offset, offset + limits.items - items.length);
    items.push(...taken);
    const following = idOf(body['next']) ?? (found.length === 0 ? idOf(body['first']) : undefined);
    if (offset + taken.length < found.length) next = { page, offset: offset + taken.length };
    else next = following === undefined ? undefined : { page: following, offset: 0 };
  }
  return { items, next };
}

/**
 * Returns a collection or page, or the first page that a collection embeds. Returns undefined if it cannot be fetched and
 * `isOptional` is set.
 */
async function fetchPart(app: App, page: string, owner: string, isOptional: boolean): Promise<Json | undefined> {
  try {
    const collection = await fetchCollection(app, page, owner);
    const first = collection['first'];
    return itemsOf(collection).length === 0 && isObject(first) && isCollection(first) ? first : collection;
  } catch (error) {
    if (isOptional && (error instanceof FetchError || error instanceof DocumentError)) return undefined;
    throw error;
  }
}

/** Reads the pages of one collection. */
class PageReader {
  readonly #app: App;
  readonly #owner: string;
  readonly #limits: CollectionLimits;
  readonly #items: unknown[] = [];
  readonly #seen = new Set<string>();
  #fetchedPages: number;
  #complete = true;

  constructor(app: App, owner: string, limits: CollectionLimits, fetched: number) {
    this.#app = app;
    this.#owner = owner;
    this.#limits = limits;
    this.#fetchedPages = fetched;
  }

  addItems(page: Json): void {
    const items = itemsOf(page);
    const room = this.#limits.items - this.#items.length;
    if (items.length > room) this.#complete = false;
    this.#items.push(...items.slice(0, room));
  }

  async readPages(first: unknown): Promise<void> {
    let next = first;
    while (next !== undefined && next !== null && this.#items.length < this.#limits.items) {
      const page = await this.#page(next);
      if (page === undefined) return;
      this.addItems(page);
      next = page['next'];
    }
    if (next !== undefined && next !== null) this.#complete = false;
  }

  /** Returns undefined at the end of the limits, and for a page that cannot be fetched. */
  async #page(value: unknown): Promise<Json | undefined> {
    const id = idOf(value);
    const isRepeated = id !== undefined && this.#seen.has(id);
    if (id !== undefined) this.#seen.add(id);
    const embedded = isObject(value) && isCollection(value);
    if (isRepeated || (!embedded && this.#fetchedPages >= this.#limits.pages)) {
      this.#complete = false;
      return undefined;
    }
    if (!embedded) this.#fetchedPages += 1;
    try {
      return await fetchCollection(this.#app, value, this.#owner);
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof DocumentError)) throw error;
      this.#complete = false;
      return undefined;
    }
  }

  result(): CollectionItems {
    return { items: this.#items, fetchedPages: this.#fetchedPages, complete: this.#complete };
  }
}

function isCollection(object: Json): boolean {
  return typesOf(object).some((type) => collectionTypes.has(type));
}

function itemsOf(collection: Json): unknown[] {
  const items = collection['orderedItems'] ?? collection['items'];
  // Not truncated by `listOf`: the limits of the caller apply.
  return Array.isArray(items) ? items : listOf(items);
}
