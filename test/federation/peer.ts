import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { sha256 } from '../../server/federation/signatures/digests.ts';
import { encodeMultikey } from '../../server/federation/documents/multikey.ts';
import { signRequest } from '../../server/federation/signatures/sign-request.ts';
import type { Dialect } from '../../server/federation/signatures/signed-request.ts';
import type { Network } from '../network.ts';
import { takeRsaKeyPair } from '../rsa-key-pairs.ts';
import type { TestServer } from '../server.ts';

const context = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'];
const activityJson = { 'content-type': 'application/activity+json' };

/** How a request differs from the usual one. */
export interface SendOptions {
  readonly inbox?: string;
  readonly dialect?: Dialect;
  readonly as?: Pick<PeerActor, 'keyId' | 'privateKey'>;
  /** Headers that replace the signed ones. */
  readonly headers?: Record<string, string>;
  /** Address that the request comes from. */
  readonly ip?: string;
  /** A body sent in place of the signed one. */
  readonly body?: string;
}

/** Taken when they are first used, because generating them takes long. */
interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKeyPem: string;
}

interface Ed25519Key {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** For `assertionMethod`. */
  readonly multikey: Readonly<Record<string, unknown>>;
}

/** An actor on a server that is emulated by a test. */
export class PeerActor {
  readonly uri: string;
  readonly keyId: string;
  readonly username: string;
  readonly host: string;
  #keys: KeyPair | undefined;
  #ed25519: Ed25519Key | undefined;
  /** Members of the actor document that differ from the usual ones. */
  documentOverrides: Record<string, unknown> = {};

  constructor(host: string, username: string, path = `/users/${username}`) {
    this.host = host;
    this.username = username;
    this.uri = `https://${host}${path}`;
    this.keyId = `${this.uri}#main-key`;
  }

  get privateKey(): KeyObject {
    return (this.#keys ??= newKeys()).privateKey;
  }

  /** An Ed25519 key, and how the actor document describes it. */
  get ed25519(): Ed25519Key {
    return (this.#ed25519 ??= newEd25519Key(this.uri));
  }

  get publicKeyPem(): string {
    return (this.#keys ??= newKeys()).publicKeyPem;
  }

  rotateKey(): void {
    this.#keys = newKeys();
  }

  json(): Record<string, unknown> {
    return {
      '@context': context,
      id: this.uri,
      type: 'Person',
      preferredUsername: this.username,
      inbox: `${this.uri}/inbox`,
      outbox: `${this.uri}/outbox`,
      followers: `${this.uri}/followers`,
      following: `${this.uri}/following`,
      publicKey: { id: this.keyId, owner: this.uri, publicKeyPem: this.publicKeyPem },
      ...this.documentOverrides,
    };
  }

  /** Returns a post by this actor. */
  note(id: number | string, members: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      id: `${this.uri}/notes/${id}`,
      type: 'Note',
      attributedTo: this.uri,
      content: `<p>Note ${id}</p>`,
      to: ['https://www.w3.org/ns/activitystreams#Public'],
      cc: [`${this.uri}/followers`],
      ...members,
    };
  }

  create(note: Record<string, unknown>): Record<string, unknown> {
    return this.activity('Create', note, { id: `${String(note['id'])}/activity`, to: note['to'], cc: note['cc'] });
  }

  activity(type: string, object: unknown, members: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      '@context': context,
      id: `${this.uri}#${type}/${crypto.randomUUID()}`,
      type,
      actor: this.uri,
      object,
      ...members,
    };
  }

  /** Sends a signed activity to a server. Returns the status of the response. */
  async send(server: TestServer, activity: unknown, options: SendOptions = {}): Promise<number> {
    const { baseUrl, webDomain } = server.app.config;
    const url = options.inbox ?? `${baseUrl}/inbox`;
    const body = JSON.stringify(activity);
    const signed = signRequest(
      options.dialect ?? 'cavage',
      { method: 'POST', url, digest: sha256(body), contentType: 'application/activity+json', now: server.clock.now() },
      options.as ?? this,
    );
    const response = await server.http.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { ...activityJson, host: webDomain, ...signed, ...options.headers },
      ...(options.ip !== undefined && { remoteAddress: options.ip }),
      payload: options.body ?? body,
    });
    return response.statusCode;
  }
}

/** An emulated server that serves its actors, WebFinger and other documents, and records its requests. */
export class Peer {
  readonly host: string;
  readonly actors: PeerActor[] = [];
  /** Documents by path; a string is an HTML page. */
  readonly documents = new Map<string, unknown>();
  /** Paths that answer with a bare status, whatever is served there. */
  readonly statuses = new Map<string, number>();
  /** Activities that its inboxes received. */
  readonly received: { path: string; activity: Record<string, unknown>; headers: Record<string, string> }[] = [];
  /** How its inboxes respond. */
  respond: (activity: Record<string, unknown>) => { status: number; headers?: Record<string, string>; body?: Buffer } =
    () => ({
      status: 202,
    });
  requestedPaths: string[] = [];

  constructor(network: Network, host: string) {
    this.host = host;
    network.addHost(host, (url, request) => {
      const path = url.pathname + url.search;
      if (request.method === 'POST') {
        const activity = JSON.parse(String(request.body)) as Record<string, unknown>;
        this.received.push({ path, activity, headers: request.headers ?? {} });
        return this.respond(activity);
      }
      this.requestedPaths.push(path);
      return this.#serve(url);
    });
  }

  /** `path`: of its id. */
  actor(username: string, path?: string): PeerActor {
    const actor = new PeerActor(this.host, username, path);
    this.actors.push(actor);
    return actor;
  }

  serve(object: Record<string, unknown>): void {
    this.documents.set(new URL(String(object['id'])).pathname, { '@context': context, ...object });
  }

  #serve(url: URL) {
    const status = this.statuses.get(url.pathname);
    if (status !== undefined) return { status };
    const found = this.documents.get(url.pathname);
    if (typeof found === 'string')
      return { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(found) };
    if (found !== undefined) return { status: 200, headers: activityJson, body: Buffer.from(JSON.stringify(found)) };
    if (url.pathname === '/.well-known/webfinger') return this.#webfinger(url.searchParams.get('resource') ?? '');
    const actor = this.actors.find(({ uri }) => new URL(uri).pathname === url.pathname);
    if (actor === undefined) return { status: 404 };
    return { status: 200, headers: activityJson, body: Buffer.from(JSON.stringify(actor.json())) };
  }

  #webfinger(resource: string) {
    const actor = this.actors.find(({ username }) => resource === `acct:${username}@${this.host}`);
    if (actor === undefined) return { status: 404 };
    const body = { subject: resource, links: [{ rel: 'self', type: 'application/activity+json', href: actor.uri }] };
    return {
      status: 200,
      headers: { 'content-type': 'application/jrd+json' },
      body: Buffer.from(JSON.stringify(body)),
    };
  }
}

function newEd25519Key(controller: string): Ed25519Key {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keyId = `${controller}#ed25519-key`;
  const publicKeyMultibase = encodeMultikey(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  return { keyId, privateKey, multikey: { id: keyId, type: 'Multikey', controller, publicKeyMultibase } };
}

function newKeys(): KeyPair {
  const { privateKey, publicKey } = takeRsaKeyPair();
  return { privateKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}
