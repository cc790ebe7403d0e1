import { signal } from '@preact/signals';
import { requestTimeoutMs } from './request-timeout.ts';

/** The JSON of an error response. */
export interface ErrorBody {
  readonly error: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

interface ApiErrorOptions {
  readonly retryAfter?: number;
  readonly isAboutSession?: boolean;
}

/** An error response of the server. `message` is its text, in the language of the account. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: ErrorBody | undefined;
  /** Seconds to wait before another attempt, if the server names them. */
  readonly retryAfter: number | undefined;
  /** Whether `sessionProblem` is the reason: the session ended, or is that of another account. */
  readonly isAboutSession: boolean;

  constructor(
    status: number,
    body: ErrorBody | undefined,
    { retryAfter, isAboutSession = false }: ApiErrorOptions = {},
  ) {
    super(body?.error ?? `HTTP ${status}`);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
    this.isAboutSession = isAboutSession;
  }
}

/** The server could not be reached. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}

/** An error whose message is for people, in their language. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError';
}

type Value = string | number | boolean | null | undefined;
/** Query parameters. An array is sent as `name[]`; undefined and null are left out. */
export type Query = Readonly<Record<string, Value | readonly (string | number)[]>>;

export interface RequestOptions {
  readonly query?: Query;
  /** Sent as JSON, or as a form if it is FormData. */
  readonly body?: object | FormData;
  /** Repeating a request with the same key has no further effect. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Whether the request is completed if the page is closed meanwhile. */
  readonly keepalive?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The account for which requests are made. The server refuses requests for another account than that of the session. */
let activeAccountId: string | undefined;

/** Why requests for the account fail: the session ended, or another tab switched to another account. */
export const sessionProblem = signal<'expired' | 'account-changed' | undefined>(undefined);

export function setActiveAccount(id: string | undefined): void {
  activeAccountId = id;
  sessionProblem.value = undefined;
}

/** Sends a request and returns the JSON of its response. Throws ApiError or OfflineError. */
export async function request<Result>(method: Method, path: string, options: RequestOptions = {}): Promise<Result> {
  const { body } = await send(method, path, options);
  return body as Result;
}

/** Loads an object whose response may still change: `refresh` is its header Mastodon-Async-Refresh. */
export async function requestWithRefresh<Result>(
  path: string,
  options: Pick<RequestOptions, 'query' | 'signal'> = {},
): Promise<{ readonly result: Result; readonly refresh: string | undefined }> {
  const { body, headers } = await send('GET', path, options);
  return { result: body as Result, refresh: headers.get('mastodon-async-refresh') ?? undefined };
}

/** A page of a list, with the addresses of its neighbours. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Path and query of the older page. */
  readonly next: string | undefined;
  /** Path and query of the newer page. */
  readonly previous: string | undefined;
  /** The header Mastodon-Async-Refresh: more is being loaded in the background. */
  readonly refresh: string | undefined;
}

/** Loads a page of a list. `path` may be the `next` or `previous` of another page. */
export async function requestPage<Item>(
  path: string,
  options: Pick<RequestOptions, 'query' | 'signal'> = {},
): Promise<Page<Item>> {
  const { body, headers } = await send('GET', path, options);
  const links = parseLinks(headers.get('link') ?? '');
  return {
    items: body as readonly Item[],
    next: links.get('next'),
    previous: links.get('prev'),
    refresh: headers.get('mastodon-async-refresh') ?? undefined,
  };
}

/** A response that contains lists, with the address of its next page. */
export interface LinkedResult<Result> {
  readonly result: Result;
  /** Path and query of the older page. */
  readonly next: string | undefined;
}

/** Loads an object that contains a page of a list. `path` may be the `next` of another page. */
export async function requestLinked<Result>(
  path: string,
  options: Pick<RequestOptions, 'query' | 'signal'> = {},
): Promise<LinkedResult<Result>> {
  const { body, headers } = await send('GET', path, options);
  return { result: body as Result, next: parseLinks(headers.get('link') ?? '').get('next') };
}

/** A successful response. `body`: its JSON; undefined if it is empty. */
interface Received {
  readonly headers: Headers;
  readonly body: unknown;
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Received> {
  const { body, query, idempotencyKey, signal: abortSignal, keepalive = false } = options;
  const isJson = body !== undefined && !(body instanceof FormData);
  // Files may take as long as they need.
  const timeout = body instanceof FormData ? [] : [AbortSignal.timeout(requestTimeoutMs)];
  const problemBefore = sessionProblem.peek();
  const { response, text } = await fetchOnline(withQuery(path, query), {
    method,
    credentials: 'same-origin',
    keepalive,
    headers: usesPreload(method, path, query) ? {} : headersOf(isJson, idempotencyKey),
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    signal: AbortSignal.any(abortSignal === undefined ? timeout : [abortSignal, ...timeout]),
  });
  const { headers } = response;
  if (response.ok) {
    if (problemBefore !== undefined && provesSession(method, path)) sessionProblem.value = undefined;
    return { headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }
  const isAboutSession = await recordSessionProblem(response.status);
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(response.status, parseError(text), {
    ...(!Number.isNaN(retryAfter) && { retryAfter }),
    isAboutSession,
  });
}

/** Sets `sessionProblem` if an error response is about the session. Returns whether it is. */
export async function recordSessionProblem(status: number): Promise<boolean> {
  if (activeAccountId === undefined) return false;
  if (status === 401) sessionProblem.value = 'expired';
  if (status === 409) await checkAccount(activeAccountId);
  return sessionProblem.peek() === (status === 401 ? 'expired' : status === 409 ? 'account-changed' : 'none');
}

const headersOf = (isJson: boolean, idempotencyKey: string | undefined): Record<string, string> => ({
  accept: 'application/json',
  ...(activeAccountId !== undefined && { 'fieldfare-account': activeAccountId }),
  ...(isJson && { 'content-type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
});

/** What the document of the client already requested, as full addresses. Each is used once. */
const preloaded = new Set(
  [...(globalThis.document?.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=fetch]') ?? [])].map(
    ({ href }) => href,
  ),
);

/** Whether the response of a preload answers a request. The browser takes it only for a request without own headers. */
function usesPreload(method: Method, path: string, query: Query | undefined): boolean {
  return method === 'GET' && preloaded.delete(new URL(withQuery(path, query), globalThis.location.origin).href);
}

/** Writes succeed only for the account of the session. One that began before its end proves nothing. */
const provesSession = (method: Method, path: string): boolean => method !== 'GET' && path.startsWith('/api/v');

/** Finds out whether a conflict is about the account: then every request for it is one. */
async function checkAccount(accountId: string): Promise<void> {
  const headers = { accept: 'application/json', 'fieldfare-account': accountId };
  const response = await fetch('/api/v1/preferences', { credentials: 'same-origin', headers }).catch(() => undefined);
  if (response?.status === 409) sessionProblem.value = 'account-changed';
}

/** Returns a response with its whole body. Throws OfflineError without a connection, and if it is silent for too long. */
async function fetchOnline(
  url: string,
  init: RequestInit,
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    if (error instanceof TypeError || isTimeout) throw new OfflineError(error.message, { cause: error });
    throw error;
  }
}

/** Undefined if the body is not that of the server, such as the page of a proxy. */
function parseError(text: string): ErrorBody | undefined {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return undefined;
  }
}

/** Adds query parameters to a path, which may have some already. */
export function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') for (const item of value) params.append(`${name}[]`, String(item));
    else params.append(name, String(value));
  }
  const text = params.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** Parses a Link header into local paths by relation. */
export function parseLinks(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, address = '', relation = ''] of header.matchAll(/<([^>]+)>;\s*rel="(\w+)"/g)) {
    const { pathname, search } = new URL(address);
    links.set(relation, pathname + search);
  }
  return links;
}
