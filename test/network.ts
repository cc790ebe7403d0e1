import { ManualClock } from '../server/platform/clock.ts';
import {
  OutgoingError,
  type Outgoing,
  type OutgoingRequest,
  type OutgoingResponse,
} from '../server/platform/outgoing/outgoing.ts';
import { assertNoProblems, startServer, type ServerOptions, type TestServer } from './server.ts';

/** Returns the response of a host that is not a test server. */
export type HostHandler = (
  url: URL,
  request: OutgoingRequest,
) => Promise<Partial<OutgoingResponse>> | Partial<OutgoingResponse>;

/** Servers in one process that reach each other by domain, without sockets, DNS or TLS. They share a clock. */
export class Network implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly #servers = new Map<string, TestServer>();
  readonly #hosts = new Map<string, HostHandler>();
  readonly #down = new Set<string>();
  /** All requests, oldest first. */
  readonly requests: { readonly from: string; readonly method: string; readonly url: string }[] = [];

  constructor(clock = new ManualClock()) {
    this.clock = clock;
  }

  async start(domain: string, options: Omit<ServerOptions, 'domain' | 'clock' | 'outgoing'> = {}): Promise<TestServer> {
    const server = await startServer({ ...options, domain, clock: this.clock, outgoing: this.outgoing(domain) });
    this.#servers.set(domain, server);
    return server;
  }

  /** Returns the client for outgoing requests of a host. */
  outgoing(from: string): Outgoing {
    return { request: (url, request = {}) => this.#request(from, url, request), close: async () => {} };
  }

  /** Makes all requests to this host fail, as if it were down. */
  takeDown(domain: string): void {
    this.#down.add(domain);
  }

  bringUp(domain: string): void {
    this.#down.delete(domain);
  }

  /** Adds a host with a handler, to fake other software or a hostile server. */
  addHost(domain: string, handler: HostHandler): void {
    this.#hosts.set(domain, handler);
  }

  /** Runs the work of all servers until none is left. */
  async drain(): Promise<void> {
    let count = 1;
    while (count > 0) {
      count = 0;
      for (const server of this.#servers.values()) count += await server.drain();
    }
  }

  /** Stops all servers after their work is done. */
  async [Symbol.asyncDispose](): Promise<void> {
    const servers = [...this.#servers];
    const problems = await this.drain().then(
      (): string[] => [],
      (error: Error) => [`${error.message}: ${String(error.cause)}`],
    );
    for (const [domain, server] of servers) {
      problems.push(...(await server.finish()).map((problem) => `${domain}: ${problem}`));
    }
    for (const [, server] of servers) await server.close();
    assertNoProblems(problems);
  }

  async #request(from: string, url: string, request: OutgoingRequest): Promise<OutgoingResponse> {
    let target = new URL(url);
    for (let redirects = request.maxRedirects ?? 3; ; redirects -= 1) {
      const response = await this.#requestOnce(from, target, request);
      const location = response.headers['location'];
      if (response.status < 301 || response.status > 308 || location === undefined || redirects === 0) return response;
      if (redirects < 0) throw new OutgoingError('refused', 'too many redirects');
      target = new URL(location, target);
      await request.onRedirect?.(target.href);
    }
  }

  async #requestOnce(from: string, url: URL, request: OutgoingRequest): Promise<OutgoingResponse> {
    const method = request.method ?? 'GET';
    this.requests.push({ from, method, url: url.href });
    const server = this.#servers.get(url.host);
    const handler = this.#hosts.get(url.host);
    if (this.#down.has(url.host) || (server === undefined && handler === undefined)) {
      throw new OutgoingError('unreachable', `no host of this network is named ${url.host}`);
    }
    const parts = server === undefined ? await handler?.(url, request) : await injectInto(server, url, request);
    const body = request.ignoreBody === true ? Buffer.alloc(0) : Buffer.from(parts?.body ?? '');
    if (body.length > (request.maxBytes ?? 1_048_576))
      throw new OutgoingError('too-large', 'the response is too large');
    const status = parts?.status ?? 200;
    const response = { status, headers: parts?.headers ?? {}, url: parts?.url ?? url.href };
    if (request.receive === undefined || status !== 200) return { ...response, body };
    await request.receive(body);
    return { ...response, body: Buffer.alloc(0) };
  }
}

async function injectInto(server: TestServer, url: URL, request: OutgoingRequest): Promise<Partial<OutgoingResponse>> {
  const response = await server.http.inject({
    method: request.method ?? 'GET',
    url: url.pathname + url.search,
    headers: { host: url.host, ...request.headers },
    ...(request.body !== undefined && { payload: request.body }),
  });
  return {
    status: response.statusCode,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    body: response.rawPayload,
  };
}
