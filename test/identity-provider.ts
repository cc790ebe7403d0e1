import { randomUUID } from 'node:crypto';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { importJWK, SignJWT } from 'jose';
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';
import { expect } from 'vitest';
import { OutgoingError, type Outgoing, type OutgoingRequest } from '../server/platform/outgoing/outgoing.ts';
import { unescapeHtml, type Browser } from './browser.ts';
import { takeRsaKeyPair } from './rsa-key-pairs.ts';

/** A person with an account at the provider: the claims of the account. */
export interface Person {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

interface ProviderResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const clientId = 'fieldfare';
const clientSecret = 'a secret of the client';

/** A real OpenID Connect provider with the address https://id.test, which signs in whoever `person` is. */
export class IdentityProvider implements AsyncDisposable {
  static readonly issuer = 'https://id.test';
  readonly #server: Server;
  readonly #callbacks: readonly string[];
  #key = newKey();
  #callback: (...args: Parameters<ReturnType<Provider['callback']>>) => unknown;
  /** Cookies of the browser at the provider. */
  readonly cookies = new Map<string, string>();
  /** Who signs in next. Undefined: they refuse. */
  person: Person | undefined;
  /** Whether the provider answers. */
  isUp = true;
  /** Changes what the provider answers. */
  tamper: (path: string, body: string) => string = (_path, body) => body;
  /** Paths of the requests of the server, oldest first. */
  readonly requests: { readonly path: string; readonly trusted: boolean }[] = [];

  private constructor(server: Server, callbacks: readonly string[]) {
    this.#server = server;
    this.#callbacks = callbacks;
    this.#callback = this.#createProvider();
    server.on('request', (...args) => this.#callback(...args));
  }

  /** `names`: those by which servers know it. */
  static async start(
    names: readonly string[] = ['town'],
    origin = 'https://fieldfare.test',
  ): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new IdentityProvider(
      server,
      names.map((name) => `${origin}/auth/providers/${name}/callback`),
    );
  }

  /** The settings of a server that knows the provider by this name. */
  settings(more: Readonly<Record<string, string>> = {}, name = 'town'): Record<string, string> {
    const prefix = `OIDC_${name.toUpperCase()}_`;
    const own = {
      ISSUER: IdentityProvider.issuer,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      LABEL: 'Town ID',
      SCOPES: 'openid profile email groups',
      ...more,
    };
    const prefixed = Object.entries(own).map(([setting, value]) => [prefix + setting, value]);
    return { SIGN_IN_PROVIDERS: name, ...Object.fromEntries(prefixed) };
  }

  /** Sends requests of servers to the provider. Other hosts are unreachable. */
  readonly outgoing: Outgoing = {
    request: async (url, options = {}) => {
      const { origin, pathname, search } = new URL(url);
      if (!this.isUp || origin !== IdentityProvider.issuer)
        throw new OutgoingError('unreachable', `no host answers at ${url}`);
      this.requests.push({ path: pathname, trusted: options.trusted === true });
      const response = await this.#send(pathname + search, options);
      const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      const body = Buffer.from(this.tamper(pathname, response.body.toString()));
      return { status: response.status, headers: Object.fromEntries(headers), body, url };
    },
    close: async () => {},
  };

  /** Replaces the keys that sign, and forgets the old ones. */
  rotateKeys(): void {
    this.#key = newKey();
    this.#callback = this.#createProvider();
  }

  /** Returns a logout token with these claims beside those of every one. */
  async logoutToken(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const { kid, alg } = this.#key;
    return new SignJWT({ jti: randomUUID(), events, ...claims })
      .setProtectedHeader({ alg, kid, typ: 'logout+jwt' })
      .setIssuer(IdentityProvider.issuer)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime('2m')
      .sign(await importJWK(this.#key, alg));
  }

  /** Visits the provider at the address to which a server redirected, as `person`. Returns the address of the callback. */
  async visit(address: string): Promise<string> {
    let url = new URL(address);
    for (let step = 0; url.origin === IdentityProvider.issuer; step += 1) {
      expect(step).toBeLessThan(8);
      const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const { status, headers, body } = await this.#send(url.pathname + url.search, {
        ...(cookie !== '' && { headers: { cookie } }),
      });
      for (const line of headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') this.cookies.delete(name);
        else this.cookies.set(name, value);
      }
      const { location } = headers;
      expect(location, `${url.pathname}: ${status} ${unescapeHtml(body.toString())}`).toBeDefined();
      url = new URL(location ?? '', url);
    }
    return url.href;
  }

  /** Signs a browser in with the provider as a person, by a link to it. Returns the path or address it ends at. */
  async signIn(browser: Browser, person: Person | undefined, link = '/auth/providers/town'): Promise<string> {
    this.person = person;
    this.cookies.clear();
    const { pathname, search } = new URL(await this.visit(await browser.open(link)));
    return browser.open(pathname + search);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #createProvider(): ReturnType<Provider['callback']> {
    const provider = new Provider(
      IdentityProvider.issuer,
      configuration(() => this.person, this.#callbacks, this.#key),
    );
    provider.proxy = true;
    provider.use(async (ctx, next) => {
      if (!ctx.path.startsWith('/interaction/')) return next();
      ctx.respond = false;
      const { person } = this;
      const result =
        person === undefined
          ? { error: 'access_denied', error_description: 'the person refused' }
          : { login: { accountId: person.sub } };
      return provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    });
    return provider.callback();
  }

  #send(path: string, { method = 'GET', headers = {}, body }: OutgoingRequest): Promise<ProviderResponse> {
    const { port } = this.#server.address() as AddressInfo;
    const proxied = { ...headers, host: new URL(IdentityProvider.issuer).host, 'x-forwarded-proto': 'https' };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers: proxied }, (response) => {
        buffer(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** Stores what a provider remembers for one test. */
function memoryAdapter(): (name: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  return (name) => {
    const find = async (id: string) => stored.get(`${name}:${id}`);
    const findBy = async (matches: (payload: AdapterPayload) => boolean) => [...stored.values()].find(matches);
    return {
      upsert: async (id, payload) => void stored.set(`${name}:${id}`, payload),
      find,
      findByUid: (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: (code) => findBy((payload) => payload.userCode === code),
      consume: async (id) => {
        const payload = await find(id);
        if (payload !== undefined) payload.consumed = 1;
      },
      destroy: async (id) => void stored.delete(`${name}:${id}`),
      revokeByGrantId: async () => {},
    };
  };
}

function configuration(
  person: () => Person | undefined,
  callbacks: readonly string[],
  key: ReturnType<typeof newKey>,
): Configuration {
  return {
    adapter: memoryAdapter(),
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...callbacks],
        backchannel_logout_uri: 'https://unused.test/',
        backchannel_logout_session_required: true,
      },
    ],
    claims: {
      openid: ['sub', 'employee'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    cookies: { keys: ['a key of the cookies'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [key] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...person(), sub: id }) }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc: { provider, client, session } }) {
      const grant = new provider.Grant({
        ...(client !== undefined && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  };
}

function newKey() {
  const { privateKey } = takeRsaKeyPair();
  return { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', kid: randomUUID(), use: 'sig', alg: 'RS256' };
}
