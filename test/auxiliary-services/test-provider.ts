import {
  createHash,
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
  createPublicKey,
  type KeyObject,
} from 'node:crypto';
import type { OutgoingRequest, OutgoingResponse } from '../../server/platform/outgoing/outgoing.ts';
import type { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';

const api = '/api/v1/fieldfare/admin/providers';

/** How a call of the provider differs from a correct one. */
export interface CallOptions {
  readonly body?: unknown;
  readonly keyId?: string;
  readonly key?: KeyObject;
  readonly created?: number;
  /** Sent instead of the signed body. */
  readonly sentBody?: string;
  readonly components?: readonly string[];
  readonly headers?: Record<string, string | undefined>;
}

interface ReceivedCall {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly body: unknown;
}

/** What the provider answers. `unsigned` and the like make it lie. */
interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Record<string, string>;
  readonly lie?: 'unsigned' | 'digest' | 'key' | 'old' | 'status';
}

const digestOf = (text: string): string => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

/**
 * A provider as the specification describes it, with signatures of its own making: none of the code of the server is used
 * for them.
 */
export class TestProvider {
  readonly keys = generateKeyPairSync('ed25519');
  readonly otherKeys = generateKeyPairSync('ed25519');
  readonly serverId = 'b2ks6vm8p23w';
  readonly baseUrl: string;
  readonly calls: ReceivedCall[] = [];
  /** Signatures of the server that were wrong. */
  readonly problems: string[] = [];
  capabilities = [
    { id: 'moods', version: '0.1' },
    { id: 'trends', version: '0.1' },
    { id: 'callback', version: '0.1' },
    { id: 'account_search', version: '0.1' },
    { id: 'follow_recommendation', version: '0.1' },
    { id: 'data_sharing', version: '0.1' },
  ];
  info: Record<string, unknown> = {
    name: 'Example FASP',
    privacyPolicy: [{ url: 'https://fasp.example.com/privacy.html', language: 'en' }],
    signInUrl: 'https://fasp.example.com/sign_in',
    contactEmail: 'support@fasp.example.com',
    fediverseAccount: '@fasp@fedi.example.com',
  };
  /** Answers by `METHOD path` without the query; by default the success of the specification. */
  readonly answers = new Map<string, Answer | (() => Answer | Promise<Answer>)>();
  faspId = '';
  serverKey: KeyObject | undefined;
  readonly #server: TestServer;

  constructor(network: Network, server: TestServer, baseUrl = 'https://fasp.example.com/fasp') {
    this.#server = server;
    this.baseUrl = baseUrl;
    network.addHost(new URL(baseUrl).host, (url, request) => this.#answer(url, request));
  }

  get publicKey(): string {
    return rawKey(this.keys.publicKey);
  }

  get fingerprint(): string {
    return createHash('sha256').update(Buffer.from(this.publicKey, 'base64')).digest('base64');
  }

  /** Registers at the server, whose address NodeInfo has. */
  async register(): Promise<Record<string, string>> {
    const { metadata } = (await this.#server.anonymous.get('/nodeinfo/2.0')).json;
    const { pathname } = new URL(`${metadata.faspBaseUrl}/registration`);
    const { serverId, baseUrl, publicKey } = this;
    const response = await this.#server.anonymous.post(pathname, {
      name: 'Example FASP',
      baseUrl,
      serverId,
      publicKey,
    });
    if (response.status !== 201) throw new Error(response.text);
    this.faspId = response.json.faspId;
    this.serverKey = keyOf(response.json.publicKey);
    return response.json;
  }

  /** Registers, lets staff confirm it and enable capabilities, and forgets the calls of that. */
  async connect(staff: TestUser, ...capabilities: string[]): Promise<void> {
    await this.register();
    const confirmed = await staff.post(`${api}/${this.faspId}/confirm`, { fingerprint: this.fingerprint });
    if (confirmed.status !== 200) throw new Error(confirmed.text);
    await this.#server.drain();
    for (const name of capabilities) {
      const enabled = await staff.post(`${api}/${this.faspId}/capabilities/${name}/enable`);
      if (enabled.status !== 200) throw new Error(enabled.text);
    }
    await this.#server.drain();
    this.calls.length = 0;
  }

  /** Calls the API of the server. */
  post(url: string, options: CallOptions = {}) {
    return this.#call('POST', url, options);
  }

  delete(url: string) {
    return this.#call('DELETE', url, {});
  }

  async #call(method: 'POST' | 'DELETE', url: string, options: CallOptions) {
    const { baseUrl, webDomain } = this.#server.app.config;
    const body = options.body === undefined ? '' : JSON.stringify(options.body);
    const digest = digestOf(body);
    const created = options.created ?? Math.floor(this.#server.clock.now().getTime() / 1000);
    const components = options.components ?? ['@method', '@target-uri', 'content-digest'];
    // Two calls of a second differ.
    const nonce = randomUUID();
    const input = `(${components.map((name) => `"${name}"`).join(' ')}); created=${created}; keyid="${options.keyId ?? this.faspId}"; nonce="${nonce}"`;
    const values: Record<string, string> = {
      '@method': method,
      '@target-uri': `${baseUrl}${url}`,
      'content-digest': digest,
    };
    const base = [...components.map((name) => `"${name}": ${values[name] ?? ''}`), `"@signature-params": ${input}`];
    const signature = sign(null, Buffer.from(base.join('\n')), options.key ?? this.keys.privateKey);
    const headers = {
      host: webDomain,
      ...(body !== '' && { 'content-type': 'application/json' }),
      'content-digest': digest,
      'signature-input': `sig1=${input}`,
      signature: `sig1=:${signature.toString('base64')}:`,
      ...options.headers,
    };
    return this.send({ method, url, headers, payload: options.sentBody ?? body });
  }

  /** Sends a request as it is, and checks the signature of the response. */
  async send(request: {
    method: 'POST' | 'DELETE';
    url: string;
    headers: Record<string, string | undefined>;
    payload: string;
  }) {
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([, value]) => value !== undefined));
    const { payload, ...rest } = request;
    const response = await this.#server.http.inject({ ...rest, headers, ...(payload !== '' && { payload }) });
    const text = response.body;
    const signed = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    if (signed['signature'] !== undefined) this.#check(signed, text, { '@status': String(response.statusCode) });
    return {
      status: response.statusCode,
      isSigned: signed['signature'] !== undefined,
      text,
      json: text === '' ? undefined : JSON.parse(text),
      request,
    };
  }

  async #answer(url: URL, request: OutgoingRequest): Promise<Partial<OutgoingResponse>> {
    const method = request.method ?? 'GET';
    const body = String(request.body ?? '');
    this.#check(request.headers ?? {}, body, { '@method': method, '@target-uri': url.href });
    const path = url.pathname.slice(new URL(this.baseUrl).pathname.length);
    this.calls.push({ method, path: path + url.search, body: body === '' ? undefined : JSON.parse(body) });
    const found = this.answers.get(`${method} ${path}`) ?? this.#usual(method, path);
    return this.#sign(typeof found === 'function' ? await found() : found);
  }

  #usual(method: string, path: string): Answer {
    if (path === '/provider_info') return { json: { ...this.info, capabilities: this.capabilities } };
    if (path === '/debug/v0/callback/logs') return { status: 201 };
    if (method === 'POST' || method === 'DELETE') return { status: 204 };
    return { json: [] };
  }

  #sign({ status = 200, json, text, headers, lie }: Answer): Partial<OutgoingResponse> {
    const body = text ?? (json === undefined ? '' : JSON.stringify(json));
    if (lie === 'unsigned') return { status, headers: { ...headers }, body: Buffer.from(body) };
    const created = Math.floor(this.#server.clock.now().getTime() / 1000) - (lie === 'old' ? 10_000 : 0);
    const input = `("@status" "content-digest");created=${created};keyid="${this.faspId}"`;
    const digest = digestOf(lie === 'digest' ? `${body}x` : body);
    const base = `"@status": ${lie === 'status' ? 299 : status}\n"content-digest": ${digest}\n"@signature-params": ${input}`;
    const key = lie === 'key' ? this.otherKeys.privateKey : this.keys.privateKey;
    return {
      status,
      headers: {
        'content-type': 'application/json',
        'content-digest': digest,
        'signature-input': `sig=${input}`,
        signature: `sig=:${sign(null, Buffer.from(base), key).toString('base64')}:`,
        ...headers,
      },
      body: Buffer.from(body),
    };
  }

  /** Checks a signature of the server. */
  #check(headers: Record<string, string>, body: string, parts: Record<string, string>): void {
    const [, list = '', rest = ''] = /^sig1=\(([^)]*)\)(.*)$/.exec(headers['signature-input'] ?? '') ?? [];
    const names = list.split(' ').map((name) => name.slice(1, -1));
    const values: Record<string, string | undefined> = { ...parts, 'content-digest': headers['content-digest'] };
    const base = [...names.map((name) => `"${name}": ${values[name]}`), `"@signature-params": (${list})${rest}`];
    const [, signature = ''] = /^sig1=:(.*):$/.exec(headers['signature'] ?? '') ?? [];
    const bytes = Buffer.from(signature, 'base64');
    if (headers['content-digest'] !== digestOf(body)) this.problems.push('wrong digest');
    if (![...Object.keys(parts), 'content-digest'].every((name) => names.includes(name)))
      this.problems.push(`only ${list} is signed`);
    if (!rest.includes(`;keyid="${this.serverId}"`) || !rest.includes(';created=')) this.problems.push(rest);
    if (this.serverKey !== undefined && !verify(null, Buffer.from(base.join('\n')), this.serverKey, bytes))
      this.problems.push(`wrong signature of ${JSON.stringify(parts)}`);
  }
}

const rawKey = (key: KeyObject): string =>
  Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');

const keyOf = (base64: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(base64, 'base64').toString('base64url') },
    format: 'jwk',
  });
