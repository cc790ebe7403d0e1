import type { FastifyInstance } from 'fastify';

/** A response of a test server. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  readonly text: string;
  /** The body parsed as JSON. */
  // Tests assert on the value, so its type does not matter.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** URLs of the Link header. */
  readonly links: { readonly next?: URL; readonly prev?: URL };
}

/** A body that is sent as urlencoded or multipart form instead of JSON. */
export class EncodedBody {
  readonly payload: Buffer;
  readonly contentType: string;

  constructor(payload: Buffer, contentType: string) {
    this.payload = payload;
    this.contentType = contentType;
  }
}

/** Returns a urlencoded body from an object or a query string. */
export function form(fields: Record<string, string> | string): EncodedBody {
  const text = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return new EncodedBody(Buffer.from(text), 'application/x-www-form-urlencoded');
}

/** Returns a multipart body, with files as `File` or `Blob`. */
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
  /** Returns a response with status 500 instead of throwing the error of the server. */
  readonly allowServerError?: boolean;
}

type Body = object | EncodedBody | undefined;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD';

/** Sends requests to a test server, with or without a token. */
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

  /** Sends a request. Of an absolute URL, as in a Link header, only path and query are used. */
  async call(method: Method, url: string, body?: Body, options: CallOptions = {}): Promise<TestResponse> {
    const path = /^https?:/.test(url) ? new URL(url).pathname + new URL(url).search : url;
    const response = await this.#http.inject({
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
    if (response.statusCode === 500 && options.allowServerError !== true) {
      throw new Error(
        `${method} ${path} failed: ${(JSON.parse(response.payload) as { bug?: string }).bug ?? response.payload}`,
      );
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      get json() {
        return JSON.parse(response.payload) as unknown;
      },
      get links() {
        return parseLinkHeader(response.headers['link']);
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

/** Follows the `next` links of a listing to its end and returns all items in order. */
export async function walk(client: Client, url: string): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let next: string | undefined = url, pages = 0; next !== undefined; pages += 1) {
    if (pages > 500) throw new Error('the listing does not end');
    const response: TestResponse = await client.get(next);
    items.push(...(response.json as { id: string }[]));
    next = response.links.next?.href;
  }
  return items;
}

/** Pages through a listing by `min_id` from its end and returns all items, newest first. `url` must have a query. */
export async function walkByMinId(client: Client, url: string): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let newestId = '0', pages = 0; ; pages += 1) {
    if (pages > 500) throw new Error('the listing does not end');
    const page = (await client.get(`${url}&min_id=${newestId}`)).json as { id: string }[];
    if (page[0] === undefined) return items;
    items.unshift(...page);
    newestId = page[0].id;
  }
}
