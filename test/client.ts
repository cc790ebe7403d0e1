import type { FastifyInstance } from 'fastify';

/** What a server of a test answered. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  readonly text: string;
  /** The body read as JSON. */
  // A test knows what it asked for; asserting on the value is its purpose.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** Query parameters of the Link header's pages. */
  readonly links: { readonly next?: URL; readonly prev?: URL };
}

/** A body that is sent as a form or as multipart instead of JSON. */
export class EncodedBody {
  readonly payload: Buffer;
  readonly contentType: string;

  constructor(payload: Buffer, contentType: string) {
    this.payload = payload;
    this.contentType = contentType;
  }
}

/** A urlencoded body, from an object or a ready query string. */
export function form(fields: Record<string, string> | string): EncodedBody {
  const text = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return new EncodedBody(Buffer.from(text), 'application/x-www-form-urlencoded');
}

/** A multipart body; files as `File` or `Blob`. */
export async function multipart(fields: Record<string, string | Blob>): Promise<EncodedBody> {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, value instanceof File ? value.name : 'file');
  }
  const response = new Response(data);
  return new EncodedBody(Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? '');
}

export interface CallOptions {
  readonly headers?: Record<string, string>;
  /** A 500 is an answer like any other; without it, it fails the test with the server's error. */
  readonly allowServerError?: boolean;
}

type Body = object | EncodedBody | undefined;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD';

/** Somebody who sends requests to a server of a test: with a token or without. */
export class Client {
  readonly #http: FastifyInstance;
  readonly token: string | undefined;

  constructor(http: FastifyInstance, token: string | undefined) {
    this.#http = http;
    this.token = token;
  }

  get(url: string, options?: CallOptions): Promise<TestResponse> {
    return this.call('GET', url, undefined, options);
  }

  post(url: string, body?: Body, options?: CallOptions): Promise<TestResponse> {
    return this.call('POST', url, body, options);
  }

  put(url: string, body?: Body, options?: CallOptions): Promise<TestResponse> {
    return this.call('PUT', url, body, options);
  }

  patch(url: string, body?: Body, options?: CallOptions): Promise<TestResponse> {
    return this.call('PATCH', url, body, options);
  }

  delete(url: string, body?: Body, options?: CallOptions): Promise<TestResponse> {
    return this.call('DELETE', url, body, options);
  }

  /** Sends a request as this client; absolute URLs (from a Link header) keep only their path and query. */
  async call(method: Method, url: string, body?: Body, options: CallOptions = {}): Promise<TestResponse> {
    const path = /^https?:/.test(url) ? new URL(url).pathname + new URL(url).search : url;
    const answer = await this.#http.inject({
      method,
      url: path,
      headers: {
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(body instanceof EncodedBody && { 'content-type': body.contentType }),
        ...(body !== undefined && !(body instanceof EncodedBody) && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { payload: body instanceof EncodedBody ? body.payload : JSON.stringify(body) }),
    });
    if (answer.statusCode === 500 && options.allowServerError !== true) {
      throw new Error(
        `${method} ${path} failed: ${(JSON.parse(answer.payload) as { bug?: string }).bug ?? answer.payload}`,
      );
    }
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.payload,
      get json() {
        return JSON.parse(answer.payload) as unknown;
      },
      get links() {
        return parseLinkHeader(answer.headers['link']);
      },
    };
  }
}

function parseLinkHeader(header: unknown): { next?: URL; prev?: URL } {
  const links: { next?: URL; prev?: URL } = {};
  if (typeof header !== 'string') return links;
  for (const [, url = '', rel] of header.matchAll(/<([^>]+)>; rel="(next|prev)"/g)) {
    links[rel as 'next' | 'prev'] = new URL(url);
  }
  return links;
}

/** Walks the `next` links of a listing to its end; gives the pages' items in order. */
export async function walk(client: Client, url: string): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let next: string | undefined = url, pages = 0; next !== undefined; pages += 1) {
    if (pages > 500) throw new Error('the listing does not end');
    const answer: TestResponse = await client.get(next);
    items.push(...(answer.json as { id: string }[]));
    next = answer.links.next?.href;
  }
  return items;
}

/** Walks a listing from its oldest end up by `min_id`, page by page; gives its items newest first. `url` has a query. */
export async function walkByMinId(client: Client, url: string): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let above = '0', pages = 0; ; pages += 1) {
    if (pages > 500) throw new Error('the listing does not end');
    const page = (await client.get(`${url}&min_id=${above}`)).json as { id: string }[];
    if (page[0] === undefined) return items;
    items.unshift(...page);
    above = page[0].id;
  }
}
