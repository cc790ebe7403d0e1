import type { KeyObject } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { storeActivity } from '../../server/federation/delivery/store-activity.ts';
import { sha256 } from '../../server/federation/signatures/digests.ts';
import { signRequest } from '../../server/federation/signatures/sign-request.ts';
import { createApplication, createToken } from '../../server/oauth/index.ts';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { createUser } from '../../server/users/sign-up/index.ts';
import { requestPasswordReset } from '../../server/users/sign-in/index.ts';
import { HealthyHost, type SilentHosts } from './slow-hosts.ts';

/** Milliseconds that each kind of work took. */
export interface Durations {
  readonly deliveryMs: number;
  /** To a host that nothing was ever sent to. */
  readonly firstDeliveryMs: number;
  readonly activityMs: number;
  readonly mailMs: number;
  readonly imageMs: number;
}

export interface SilentLoad {
  readonly hosts: number;
  readonly activities: number;
  readonly links: number;
}

interface Fixtures {
  readonly healthy: HealthyHost;
  readonly silent: SilentHosts;
  readonly privateKey: KeyObject;
}

/** Maximum number of measurements: each needs a user for its mail and an image of its own. */
const maxMeasurements = 20;
const pollMs = 20;
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
const scopes = ['read', 'write'];

/** A local user, alice, and the parties that she and the server deal with. */
export class SlowPeerScene {
  readonly #app: App;
  readonly #fixtures: Fixtures;
  readonly #alice: AccountId;
  readonly #token: string;
  #measurementCount = 0;
  #noteCount = 0;

  private constructor(app: App, cast: Fixtures, alice: { id: AccountId; token: string }) {
    this.#app = app;
    this.#fixtures = cast;
    this.#alice = alice.id;
    this.#token = alice.token;
  }

  /** Sets the scene on a running server. */
  static async create(app: App, cast: Fixtures): Promise<SlowPeerScene> {
    const user = (username: string) =>
      createUser(app, {
        username,
        email: `${username}@bench.test`,
        password: 'correct horse battery',
        agreement: true,
        confirmed: true,
        approved: true,
      });
    const alice = await user('alice');
    for (let n = 1; n <= maxMeasurements; n += 1) await user(`user${n}`);
    const { id: applicationId } = await createApplication(app, {
      name: 'Benchmark',
      redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
      scopes,
      website: null,
    });
    const token = await createToken(app, { userId: alice.userId, applicationId, scopes });
    const parties = new SlowPeerScene(app, cast, { id: alice.accountId, token });
    for (let n = 1; n <= maxMeasurements; n += 1) {
      const url = `${cast.healthy.origin}/${n}.png`;
      await parties.#receiveNote('painter', { attachment: [{ type: 'Document', mediaType: 'image/png', url }] });
    }
    return parties;
  }

  /** Runs each kind of work once, all at the same time. */
  async measure(): Promise<Durations> {
    this.#measurementCount += 1;
    const n = this.#measurementCount;
    await using stranger = await HealthyHost.start(this.#fixtures.healthy.publicKeyPem, `127.11.0.${n}`);
    const picture = await this.#imagePathOf(n);
    const [delivery, firstDelivery, activity, mail, image] = await Promise.all([
      measureMs(() => this.#deliver(this.#fixtures.healthy, `/inbox/${n}`)),
      measureMs(() => this.#deliver(stranger, '/inbox')),
      measureMs(() => this.#receiveNote(`sender${n}`, {})),
      measureMs(() => this.#receiveMail(`user${n}@bench.test`)),
      measureMs(() => this.#request('GET', picture)),
    ]);
    return { deliveryMs: delivery, firstDeliveryMs: firstDelivery, activityMs: activity, mailMs: mail, imageMs: image };
  }

  /** Prepares silent parties. Returns a function that makes the server wait for all of them. */
  async prepareLoad({ hosts, activities, links }: SilentLoad): Promise<() => Promise<void>> {
    const { silent } = this.#fixtures;
    const [inboxes, parents, pages] = [
      await silent.start(hosts),
      await silent.start(activities),
      await silent.start(links),
    ];
    return async () => {
      await Promise.all([
        this.#send(
          inboxes.map((origin) => `${origin}/inbox`),
          'load',
        ),
        ...parents.map((origin, n) =>
          this.#postToInbox(`slow${n}`, this.#note(`slow${n}`, { inReplyTo: `${origin}/notes/1` })),
        ),
        ...pages.map((origin) =>
          this.#request('POST', '/api/v1/statuses', { status: `See ${origin}/`, language: 'en' }),
        ),
      ]);
    };
  }

  async #deliver(host: HealthyHost, path: string): Promise<void> {
    const arrival = host.nextPost(path);
    await this.#send([`${host.origin}${path}`], path);
    await arrival;
  }

  async #send(inboxes: readonly string[], orderKey: string): Promise<void> {
    const activity = { id: `${this.#app.config.baseUrl}/bench`, type: 'Update' };
    await transaction(this.#app, (tx) =>
      storeActivity(tx, this.#app, { senderId: this.#alice, activity, inboxes, orderKey }),
    );
  }

  #note(username: string, more: object): Record<string, unknown> {
    const actor = `${this.#fixtures.healthy.origin}/users/${username}`;
    const aliceUri = `${this.#app.config.baseUrl}/users/alice`;
    this.#noteCount += 1;
    const tag = [{ type: 'Mention', href: aliceUri }];
    const id = `${actor}/notes/${this.#noteCount}`;
    return {
      id,
      type: 'Note',
      attributedTo: actor,
      content: 'Hello',
      to: [publicCollection],
      cc: [aliceUri],
      tag,
      ...more,
    };
  }

  /** Posts a note to the inbox and waits until it is stored. */
  async #receiveNote(username: string, more: object): Promise<void> {
    const note = this.#note(username, more);
    await this.#postToInbox(username, note);
    const { db } = this.#app;
    const uri = String(note['id']);
    await waitUntil(async () => {
      const row = await db.selectFrom('statuses').select('id').where('uri', '=', uri).executeTakeFirst();
      return row !== undefined;
    });
  }

  async #postToInbox(username: string, note: Record<string, unknown>): Promise<void> {
    const actor = `${this.#fixtures.healthy.origin}/users/${username}`;
    const url = `${this.#app.config.baseUrl}/inbox`;
    const contentType = 'application/activity+json';
    const { to, cc, id } = note;
    const body = JSON.stringify({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${String(id)}/create`,
      type: 'Create',
      actor,
      to,
      cc,
      object: note,
    });
    const key = { keyId: `${actor}#main-key`, privateKey: this.#fixtures.privateKey };
    const request = { method: 'POST', url, digest: sha256(body), contentType, now: new Date() } as const;
    const headers = { 'content-type': contentType, ...signRequest('cavage', request, key) };
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (answer.status !== 202) throw new Error(`the inbox answered ${answer.status}: ${await answer.text()}`);
  }

  async #receiveMail(address: string): Promise<void> {
    const folder = join(this.#app.config.dataDir, 'mail');
    await requestPasswordReset(this.#app, address);
    const read = new Set<string>();
    await waitUntil(async () => {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((one) => !one.startsWith('.') && !read.has(one))) {
        if ((await readFile(join(folder, name), 'utf8')).includes(address)) return true;
        read.add(name);
      }
      return false;
    });
  }

  /** Returns the URL of a client for the image of the nth note. */
  async #imagePathOf(n: number): Promise<string> {
    const { id } = await this.#app.db
      .selectFrom('statuses')
      .select('id')
      .where('uri', '=', `${this.#fixtures.healthy.origin}/users/painter/notes/${n}`)
      .executeTakeFirstOrThrow();
    const answer = await this.#request('GET', `/api/v1/statuses/${id}`);
    const status = (await answer.json()) as { media_attachments: { url: string }[] };
    const { pathname, search } = new URL(status.media_attachments[0]?.url ?? '');
    return pathname + search;
  }

  async #request(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.#app.config.baseUrl}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}

async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(pollMs);
}
