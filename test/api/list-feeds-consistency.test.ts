import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blockAccount,
  followAccount,
  muteAccount,
  removeFollower,
  unblockAccount,
  unfollowAccount,
  unmuteAccount,
} from '../../server/relationships/index.ts';
import { feedLimits } from '../../server/timelines/index.ts';
import { follow, deleteListFeed, createList, listTimelinePath } from '../feeds.ts';
import { startServer, walk, type TestServer, type TestUser } from '../server.ts';

/** Five people, of whom alice has two lists that are always the same: the first is kept, the second never. */
interface Simulation {
  readonly server: TestServer;
  readonly people: readonly TestUser[];
  readonly lists: readonly string[];
  readonly posts: { id: string; by: TestUser }[];
}

async function createSimulation(server: TestServer): Promise<Simulation> {
  const people: TestUser[] = [];
  for (const name of ['alice', 'bob', 'carol', 'dave', 'erin']) people.push(await server.user(name));
  const [alice, bob, carol, dave] = people as [TestUser, TestUser, TestUser, TestUser];
  for (const target of [bob, carol, dave]) await follow(server, alice, target);
  const lists = [await createList(alice, [alice, bob, carol]), await createList(alice, [alice, bob, carol])];
  return { server, people, lists, posts: [] };
}

/** Whatever went before, alice sees everybody, follows most of the others, and her lists have members. */
async function resetSimulation({ server, people, lists }: Simulation, policy: string): Promise<void> {
  const [alice, ...others] = people as [TestUser, TestUser, TestUser, TestUser];
  for (const other of others) {
    await unblockAccount(server.app, alice.id, other.id);
    await unblockAccount(server.app, other.id, alice.id);
    await unmuteAccount(server.app, alice.id, other.id);
  }
  for (const target of others.slice(0, 3)) await follow(server, alice, target, { reblogs: true, languages: [] });
  for (const id of lists) {
    await alice.put(`/api/v1/lists/${id}`, { replies_policy: policy });
    for (const member of people.slice(0, 3)) {
      await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: [member.id] });
    }
  }
  await server.drain();
}

/** Who does something to whom or what; `number` decides all else. */
interface ActionContext {
  readonly simulation: Simulation;
  readonly alice: TestUser;
  readonly actor: TestUser;
  readonly target: TestUser;
  /** One of the last posts, deleted perhaps. */
  readonly chosen: { id: string; by: TestUser } | undefined;
  readonly number: number;
}

async function postAs({ simulation, actor }: ActionContext, status: string, fields: object): Promise<void> {
  const answer = await actor.post('/api/v1/statuses', { status, ...fields });
  if (answer.status === 200) simulation.posts.push({ id: answer.json.id, by: actor });
}

async function withLists({ lists }: Simulation, run: (path: string) => Promise<unknown>): Promise<void> {
  for (const id of lists) await run(`/api/v1/lists/${id}`);
}

/** Blocks stand in the way of follows, and the like: that is no concern of this test. */
const ignoreErrors = (run: Promise<unknown>) => run.catch(() => undefined);

const languageOf = (number: number): string => (number % 2 === 0 ? 'de' : 'en');

const actions: Readonly<Record<string, (parts: ActionContext) => unknown>> = {
  post: (parts) =>
    postAs(parts, `post ${parts.number}`, {
      language: languageOf(parts.number),
      visibility: parts.number % 5 === 0 ? 'private' : 'public',
    }),
  reply: (parts) => postAs(parts, `reply ${parts.number}`, { in_reply_to_id: parts.chosen?.id }),
  mention: (parts) =>
    postAs(parts, `@${parts.target.username} hi`, { visibility: parts.number % 3 === 0 ? 'direct' : 'public' }),
  reblog: ({ actor, chosen }) => chosen && actor.post(`/api/v1/statuses/${chosen.id}/reblog`),
  unreblog: ({ actor, chosen }) => chosen && actor.post(`/api/v1/statuses/${chosen.id}/unreblog`),
  delete: ({ chosen, number }) => number % 3 === 0 && chosen?.by.delete(`/api/v1/statuses/${chosen.id}`),
  edit: ({ chosen, target, number }) =>
    chosen?.by.put(`/api/v1/statuses/${chosen.id}`, {
      status: number % 3 === 0 ? `@${target.username} edited ${number}` : `edited ${number}`,
      language: languageOf(number),
    }),
  trim: ({ simulation }) => simulation.server.runSchedule('feed.trim_feeds'),
  wait: ({ simulation }) => simulation.server.clock.advance(60),
  follow: ({ simulation, alice, target, number }) =>
    ignoreErrors(
      followAccount(simulation.server.app, alice.id, target.id, {
        reblogs: number % 2 === 0,
        languages: number % 3 === 0 ? ['de'] : [],
      }),
    ),
  unfollow: ({ simulation, alice, target }) => unfollowAccount(simulation.server.app, alice.id, target.id),
  'remove follower': ({ simulation, alice, target }) =>
    ignoreErrors(removeFollower(simulation.server.app, target.id, alice.id)),
  mute: ({ simulation, alice, target, number }) =>
    ignoreErrors(muteAccount(simulation.server.app, alice.id, target.id, { duration: number % 2 === 0 ? 90 : 0 })),
  unmute: ({ simulation, alice, target }) => unmuteAccount(simulation.server.app, alice.id, target.id),
  block: ({ simulation, alice, target }) => ignoreErrors(blockAccount(simulation.server.app, alice.id, target.id)),
  'block back': ({ simulation, alice, target }) =>
    ignoreErrors(blockAccount(simulation.server.app, target.id, alice.id)),
  async unblock({ simulation, alice, target }) {
    await unblockAccount(simulation.server.app, alice.id, target.id);
    await unblockAccount(simulation.server.app, target.id, alice.id);
  },
  add: ({ simulation, alice, target }) =>
    withLists(simulation, (path) => alice.post(`${path}/accounts`, { account_ids: [target.id] })),
  remove: ({ simulation, alice, target }) =>
    withLists(simulation, (path) => alice.delete(`${path}/accounts`, { account_ids: [target.id] })),
  policy: ({ simulation, alice, number }) =>
    withLists(simulation, (path) => alice.put(path, { replies_policy: policies[number % 3] })),
};

/** What comes by a job, when somebody else does it; everything else is seen at once. */
const jobActions = new Set(['post', 'reply', 'mention', 'reblog']);
/** What comes by a job whoever does it. */
const alwaysJobActions = new Set(['edit', 'wait']);

const commonActions = ['post', 'post', 'reply', 'reply', 'mention', 'reblog', 'reblog', 'unreblog', 'delete', 'trim'];

/** Deeds that undo each other, or come in each other's way: each of them happens often in the same sequence. */
const opposites = [
  ['mute', 'unmute', 'wait'],
  ['mute', 'edit'],
  ['block', 'unblock'],
  ['block back', 'unblock'],
  ['follow', 'edit'],
  ['unfollow', 'follow'],
  ['remove follower', 'follow'],
  ['add', 'remove'],
  ['policy', 'follow', 'unfollow'],
];

/** Posts that something is done to. */
const changesPerSequence = 6;

/** The numbers choose among people and posts. */
interface Step {
  readonly action: string;
  readonly actor: number;
  readonly target: number;
  readonly number: number;
}

interface Sequence {
  readonly policy: string;
  readonly steps: readonly Step[];
}

const policies = ['list', 'followed', 'none'] as const;

/** A sequence is about one of those whom alice follows, who does the most. */
const sequenceArbitrary = (changes: readonly string[]): fc.Arbitrary<Sequence> =>
  fc.tuple(fc.constantFrom(...policies), fc.constantFrom(1, 1, 2, 3)).chain(([policy, target]) => {
    const step = fc.record({
      action: fc.oneof(fc.constantFrom(...commonActions), fc.constantFrom(...changes)),
      actor: fc.constantFrom(0, 1, 2, 3, 4, target, target, target),
      target: fc.constant(target),
      number: fc.nat({ max: 1_000 }),
    });
    return fc.record({ policy: fc.constant(policy), steps: fc.array(step, { minLength: 15, maxLength: 25 }) });
  });

async function runStep(play: Simulation, { action, actor, target, number }: Step): Promise<void> {
  const { people, posts, server } = play;
  await actions[action]?.({
    simulation: play,
    alice: people[0] as TestUser,
    actor: people[actor] as TestUser,
    target: people[target] as TestUser,
    chosen: posts.at(-1 - (number % changesPerSequence)),
    number,
  });
  if (alwaysJobActions.has(action) || (jobActions.has(action) && actor !== 0)) await server.drain();
}

/** Whether both lists show the same, from the top and from the middle. */
async function expectSameFeeds({ server, people, lists, posts }: Simulation, what: string): Promise<void> {
  const alice = people[0] as TestUser;
  const [kept, twin] = lists as [string, string];
  await deleteListFeed(server, twin);
  const down = async (id: string) => (await walk(alice, `${listTimelinePath(id)}?limit=5`)).map((status) => status.id);
  expect(await down(kept), what).toEqual(await down(twin));
  const middle = posts[Math.floor(posts.length / 2)]?.id ?? '0';
  const up = async (id: string) => {
    const { json } = await alice.get(`${listTimelinePath(id)}?limit=5&min_id=${middle}`);
    return (json as { id: string }[]).map((status) => status.id);
  };
  expect(await up(kept), `${what}, upwards`).toEqual(await up(twin));
}

test.for(opposites.map((changes) => [changes.join(', '), changes] as const))(
  'LST-02: whatever happens, a kept list shows the same as its members’ posts do (%s)',
  async ([, changes]) => {
    await using server = await startServer();
    Object.assign(feedLimits(server.app), { maxBuiltEntries: 8, maxStoredEntries: 10 });
    const play = await createSimulation(server);
    await fc.assert(
      fc.asyncProperty(sequenceArbitrary(changes), async ({ policy, steps }) => {
        await resetSimulation(play, policy);
        for (const each of steps) {
          await runStep(play, each);
          await expectSameFeeds(play, JSON.stringify(each));
          await server.drain();
        }
        await expectSameFeeds(play, 'in the end');
      }),
      { numRuns: 2, endOnFailure: true },
    );
  },
);
