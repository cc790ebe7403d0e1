import { sql } from 'kysely';
import { hasAnyAddress } from '../../server/platform/database/has-address.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { measureUsage } from '../cpu.ts';
import { sendLoad } from '../send-load.ts';
import { announceActivity, createActivity, type NoteOptions } from './peers.ts';
import { preSign } from './pre-signed.ts';
import type { FederationScene, LocalAuthor } from './scene.ts';
import { waitForInbox, waitUntilIdle } from './wait-until-idle.ts';

/** A kind of Create. */
export interface InboxCase {
  readonly name: string;
  /** The nth activity. Default: a Create. */
  readonly create?: (note: NoteOptions, scene: FederationScene, at: number) => Record<string, unknown>;
  /** The local author that it replies to. */
  readonly parentOf?: (scene: FederationScene) => LocalAuthor;
  /** Whether it is forwarded to the followers of that author. Their hosts are paused, so nothing is sent. */
  readonly isForwarded?: boolean;
  /** CPU in milliseconds. */
  readonly targetMs?: number;
  /** Of the activities of a round. */
  readonly share: number;
}

export const inboxCases: readonly InboxCase[] = [
  { name: 'Create of a followed author', targetMs: 1.5, share: 1 },
  { name: 'Create that replies to a local account', parentOf: ({ reader }) => reader, targetMs: 1.5, share: 1 },
  { name: 'Create that replies to a remote post', create: createRemoteReply, targetMs: 1.5, share: 1 },
  { name: 'a mix of Creates and boosts', create: createMixed, targetMs: 1.5, share: 1 },
  {
    name: 'the same, forwarded to its followers',
    parentOf: ({ popular }) => popular,
    isForwarded: true,
    share: 0.05,
  },
];

/** What a round of a case showed. */
export interface InboxResult {
  /** Milliseconds of CPU for each activity, from the request to the last job. */
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly acceptedPerSecond: number;
  readonly processedPerSecond: number;
  /** Milliseconds until an activity was accepted. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const hashtags = ['birds', 'swifts', 'trains', 'bread', 'gardening', 'typography', 'sunset', 'cycling'];

/** A quarter has hashtags, 13 % are replies, a tenth are boosts, 5 % mention a local account. */
export function createMixed(
  note: NoteOptions,
  { reader, authors }: Pick<FederationScene, 'reader' | 'authors'>,
  at: number,
): Record<string, unknown> {
  // Spreads the kinds over the activities.
  const percent = (at * 37) % 100;
  const tagged = hashtags.slice(at % 7, (at % 7) + 2);
  if (percent < 25) return createActivity({ ...note, hashtags: tagged });
  if (percent < 38) return createActivity({ ...note, parent: reader.post });
  // An author boosts a post once.
  const boosted = authors[(at + 1 + Math.floor((4 * Number(note.name)) / authors.length)) % authors.length];
  if (percent < 48) return announceActivity(note.actor, note.name, `${boosted}/statuses/first`);
  return createActivity({ ...note, mentioned: percent < 53 ? reader.post : undefined });
}

/** A reply to a stored post of another author. */
export function createRemoteReply(
  note: NoteOptions,
  { authors }: Pick<FederationScene, 'authors'>,
  at: number,
): Record<string, unknown> {
  const author = authors[(at + 1) % authors.length] ?? note.actor;
  const parent = {
    uri: `${author}/statuses/first`,
    author,
    acct: `${author.split('/').at(-1)}@${new URL(author).host}`,
  };
  return createActivity({ ...note, parent });
}

let noteCount = 0;

/** Sends activities of a case, by all authors in turn, and waits until all work that they cause is done. */
export async function measureInbox(
  scene: FederationScene,
  { server, connections }: { readonly server: number; readonly connections: number },
  { inboxCase, count }: { readonly inboxCase: InboxCase; readonly count: number },
): Promise<InboxResult> {
  const { app, network, origin } = scene;
  const { requests, uris } = await signNotes(scene, inboxCase, count);
  if (inboxCase.isForwarded === true) await pauseHosts(scene);
  const before = measureUsage(server);
  const plan = { origin, requests, count, tokens: [], connections, seconds: 600 };
  const load = await sendLoad(plan);
  await waitForInbox(app);
  const processedSeconds = (Date.now() - load.startedAt) / 1_000;
  await waitUntilIdle(app);
  const after = measureUsage(server);
  if (load.failures > 0) throw new Error(`${load.failures} of ${count} activities were not accepted`);
  await assertStored(scene, uris);
  if (inboxCase.isForwarded === true) await resumeHosts(scene, count);
  await network.command('reset');
  return {
    nodeMs: (after.nodeMs - before.nodeMs) / count,
    postgresMs: (after.postgresMs - before.postgresMs) / count,
    acceptedPerSecond: count / load.seconds,
    processedPerSecond: count / processedSeconds,
    p50Ms: load.p50Ms,
    p95Ms: load.p95Ms,
  };
}

/** Signs Creates of new posts, by all authors in turn. */
export async function signNotes(scene: FederationScene, inboxCase: InboxCase, count: number) {
  const { app, network, authors } = scene;
  const parent = inboxCase.parentOf?.(scene).post;
  const { isForwarded: isForwardable, create = createActivity } = inboxCase;
  const activities = Array.from({ length: count }, (_, at) => {
    noteCount += 1;
    const actor = authors[at % authors.length] ?? '';
    return create({ actor, name: String(noteCount), parent, isForwardable }, scene, at);
  });
  // A boost names a post. With few authors, one of them may boost a post again, which stores nothing.
  const uris = activities.flatMap(({ object }) => (typeof object === 'string' ? [] : (object as { id: string }).id));
  return { requests: await preSign(network, app.config.baseUrl, activities), uris };
}

/** Throws unless all posts are stored. */
export async function assertStored({ app }: FederationScene, uris: readonly string[]): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from statuses where ${hasAnyAddress('statuses.uri', uris)}`.execute(app.db);
  if (rows[0]?.count !== uris.length) throw new Error(`${rows[0]?.count} of ${uris.length} posts are stored`);
}

const pauseHosts = ({ app }: FederationScene): Promise<unknown> =>
  transaction(app, ({ db }) => sql`update hosts set paused_at = now() where domain like '%.peers.test:%'`.execute(db));

/** Deletes the deliveries, and throws unless all were stored. */
async function resumeHosts({ app, size }: FederationScene, count: number): Promise<void> {
  await transaction(app, async ({ db }) => {
    const { numAffectedRows } = await sql`delete from deliveries where run_at = 'infinity'`.execute(db);
    if (Number(numAffectedRows) !== count * size.followers)
      throw new Error(`${numAffectedRows} deliveries were stored`);
    await sql`update hosts set paused_at = null where domain like '%.peers.test:%'`.execute(db);
  });
}
