import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../../server.ts';
import { PeerActor } from '../peer.ts';
import { recordProcessing, storeActivities, storeSigners } from './scene-of-signers.ts';

type Json = Record<string, unknown>;

const signers = Array.from({ length: 6 }, (_, n) => new PeerActor(`host${n}.test`, `eve${n}`));
const aliceUri = 'https://fieldfare.test/users/alice';
const publicUri = 'https://www.w3.org/ns/activitystreams#Public';

/** What a signer does, with one of two posts: its own, or those of alice. */
interface Step {
  readonly signer: number;
  readonly kind: keyof typeof builders;
  readonly post: 0 | 1;
}

const builders = {
  create: (actor: PeerActor, n: number) => actor.create(actor.note(n, { content: `<p>Post ${n} #tag${n}</p>` })),
  tag: (actor: PeerActor, n: number) => actor.create(actor.note(n, { tag: [{ type: 'Hashtag', name: `#tag${n}` }] })),
  mention: (actor: PeerActor, n: number) =>
    actor.create(actor.note(n, { cc: [aliceUri], tag: [{ type: 'Mention', href: aliceUri }] })),
  reply: (actor: PeerActor, n: number, alices: readonly string[]) =>
    actor.create(actor.note(n, { inReplyTo: alices[n] })),
  update: (actor: PeerActor, n: number) =>
    actor.activity('Update', actor.note(n, { content: '<p>Edited</p>', updated: '2030-01-01T00:00:00Z' })),
  remove: (actor: PeerActor, n: number) => actor.activity('Delete', `${actor.uri}/notes/${n}`),
  like: (actor: PeerActor, n: number, alices: readonly string[]) => like(actor, alices[n]),
  unlike: (actor: PeerActor, n: number, alices: readonly string[]) => actor.activity('Undo', like(actor, alices[n])),
  announce: (actor: PeerActor, n: number, alices: readonly string[]) => announce(actor, n, alices[n]),
  unannounce: (actor: PeerActor, n: number, alices: readonly string[]) =>
    actor.activity('Undo', announce(actor, n, alices[n])),
  follow: (actor: PeerActor) => follow(actor),
  unfollow: (actor: PeerActor) => actor.activity('Undo', follow(actor)),
} satisfies Record<string, (actor: PeerActor, n: number, alices: readonly string[]) => Json>;

const like = (actor: PeerActor, object: unknown): Json => actor.activity('Like', object, { id: `${actor.uri}#like` });
const announce = (actor: PeerActor, n: number, object: unknown): Json =>
  actor.activity('Announce', object, { id: `${actor.uri}#announce${n}`, to: [publicUri], cc: [aliceUri] });
const follow = (actor: PeerActor): Json => actor.activity('Follow', aliceUri, { id: `${actor.uri}#follow` });

/** Starts a server where alice has two posts, one follower, and follows all signers. Returns the URIs of the posts, too. */
async function startScene() {
  const server = await startServer();
  server.expectUndelivered(/^host/);
  const alice = await server.user('alice');
  await storeSigners(server, signers, [alice.id]);
  const alices: string[] = [];
  for (const status of ['First', 'Second'])
    alices.push((await alice.post('/api/v1/statuses', { status, visibility: 'public' })).json.uri);
  await storeActivities(server, signers.slice(0, 1).map(follow));
  await server.drain();
  return { server, alice, alices };
}

type Scene = Awaited<ReturnType<typeof startScene>>;

function buildActivities({ alices }: Scene, steps: readonly Step[]): Json[] {
  return steps.flatMap(({ signer, kind, post }) => {
    const actor = signers[signer];
    return actor === undefined ? [] : [builders[kind](actor, post, alices)];
  });
}

/** Returns what activities changed, without ids and times. */
async function snapshot({ server, alice, alices }: Scene): Promise<unknown> {
  await server.drain();
  const select = async (query: string) => {
    const { rows } = await sql<Json>`${sql.raw(query)}`.execute(server.db);
    const text = JSON.stringify(rows);
    return JSON.parse(alices.reduce((all, uri, n) => all.replaceAll(uri, `alice ${n}`), text)) as unknown;
  };
  const home = await alice.get('/api/v1/timelines/home?limit=40');
  const notifications = await alice.get('/api/v1/notifications?limit=80');
  const label = (uri: unknown) => (alices.includes(String(uri)) ? `alice ${alices.indexOf(String(uri))}` : uri);
  return {
    statuses: await select(`select s.uri, a.uri as author, s.content, s.visibility, s.deleted_at is not null as deleted,
        parent.uri as parent, original.uri as original, s.edited_at is not null as edited,
        (select array_agg(m.uri order by m.uri) from mentions join accounts m on m.id = account_id where status_id = s.id)
          as mentions,
        (select array_agg(t.name order by t.name) from status_tags join tags t on t.id = tag_id where status_id = s.id) as tags
      from statuses s join accounts a on a.id = s.account_id left join statuses parent on parent.id = s.in_reply_to_id
        left join statuses original on original.id = s.reblog_of_id order by s.uri`),
    statusStats:
      await select(`select s.uri, coalesce(replies_count, 0) as replies, coalesce(reblogs_count, 0) as reblogs,
        coalesce(favourites_count, 0) as favourites
      from statuses s left join status_stats t on t.status_id = s.id order by s.uri`),
    accountStats: await select(`select a.uri, statuses_count, followers_count, following_count
      from account_stats join accounts a on a.id = account_id order by a.uri`),
    favourites: await select(`select a.uri, s.uri as status from favourites f join accounts a on a.id = f.account_id
      join statuses s on s.id = f.status_id order by a.uri, s.uri`),
    follows: await select(`select a.uri, t.uri as target, f.uri as activity from follows f
      join accounts a on a.id = f.account_id join accounts t on t.id = f.target_account_id order by a.uri, t.uri`),
    tombstones: await select('select uri from tombstones order by uri'),
    accepts: await select(`select count(*)::int as accepts from activities where body like '%"Accept"%'`),
    // Which reblogs of posts in the feed are left out depends on random parts of their ids.
    home: home.json
      .filter(({ reblog }: Json) => reblog === null)
      .map(({ uri }: Json) => label(uri))
      .toSorted(),
    notifications: notifications.json
      .map((one: { type: string; account: Json; status?: Json }) => [
        one.type,
        one.account['acct'],
        label(one.status?.['uri']),
      ])
      .map(String)
      .toSorted(),
  };
}

const steps = fc.array(
  fc.record({
    signer: fc.nat(signers.length - 1),
    kind: fc.constantFrom(...(Object.keys(builders) as (keyof typeof builders)[])),
    post: fc.constantFrom<0 | 1>(0, 1),
  }),
  { minLength: 10, maxLength: 60 },
);

test('FED-03: activities that are processed together change the same as one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const [together, alone] = [await startScene(), await startScene()];
      await using _servers = { [Symbol.asyncDispose]: () => closeAll([together.server, alone.server]) };
      await storeActivities(together.server, buildActivities(together, list));
      await recordProcessing(together.server);
      for (const activity of buildActivities(alone, list)) {
        await storeActivities(alone.server, [activity]);
        await recordProcessing(alone.server);
      }
      expect(await snapshot(together)).toEqual(await snapshot(alone));
    }),
    { numRuns: 4 },
  );
}, 120_000);

const closeAll = async (servers: readonly TestServer[]): Promise<void> => {
  for (const server of servers) await server[Symbol.asyncDispose]();
};
