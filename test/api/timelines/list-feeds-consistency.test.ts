import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockAccount, muteAccount, unblockAccount, unmuteAccount } from '../../../server/relationships/hide/index.ts';
import { followAccount, removeFollower, unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { feedLimits } from '../../../server/timelines/index.ts';
import { follow, deleteListFeed, createList, listTimelinePath } from '../../feeds.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

/** Five users. Alice has two lists with the same members: the first has a stored feed, the second never has one. */
interface Simulation {
  readonly server: TestServer;
  readonly users: readonly TestUser[];
  readonly lists: readonly string[];
  readonly posts: { id: string; by: TestUser }[];
}

async function createSimulation(server: TestServer): Promise<Simulation> {
  const users: TestUser[] = [];
  for (const name of ['alice', 'bob', 'carol', 'dave', 'erin']) users.push(await server.user(name));
  const [alice, bob, carol, dave] = users as [TestUser, TestUser, TestUser, TestUser];
  for (const target of [bob, carol, dave]) await follow(server, alice, target);
  const lists = [await createList(alice, [alice, bob, carol]), await createList(alice, [alice, bob, carol])];
  return { server, users, lists, posts: [] };
}

/** Ends all blocks and mutes of alice, makes her follow three others, and adds members to her lists. */
async function resetSimulation({ server, users, lists }: Simulation, policy: string): Promise<void> {
  const [alice, ...others] = users as [TestUser, TestUser, TestUser, TestUser];
  for (const other of others) {
    await unblockAccount(server.app, alice.id, other.id);
    await unblockAccount(server.app, other.id, alice.id);
    await unmuteAccount(server.app, alice.id, other.id);
  }
  for (const target of others.slice(0, 3)) await follow(server, alice, target, { reblogs: true, languages: [] });
  for (const id of lists) {
    await alice.put(`/api/v1/lists/${id}`, { replies_policy: policy });
    for (const member of users.slice(0, 3)) {
      await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: [member.id] });
    }
  }
  await server.drain();
}

/** The accounts and the post of an action; `number` decides everything else. */
interface ActionContext {
  readonly simulation: Simulation;
  readonly alice: TestUser;
  readonly actor: TestUser;
  readonly target: TestUser;
  /** One of the latest posts; it may be deleted. */
  readonly chosen: { id: string; by: TestUser } | undefined;
  readonly number: number;
}

async function postAs({ simulation, actor }: ActionContext, status: string, fields: object): Promise<void> {
  const response = await actor.post('/api/v1/statuses', { status, ...fields });
  if (response.status === 200) simulation.posts.push({ id: response.json.id, by: actor });
}

async function withLists({ lists }: Simulation, run: (path: string) => Promise<unknown>): Promise<void> {
  for (const id of lists) await run(`/api/v1/lists/${id}`);
}

/** Ignores errors that this test is not about, such as a follow that a block prevents. */
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

/** Actions that take effect by a job unless alice does them. All other actions take effect immediately. */
const jobActions = new Set(['post', 'reply', 'mention', 'reblog']);
/** Actions that always take effect by a job. */
const alwaysJobActions = new Set(['edit', 'wait']);

const commonActions = ['post', 'post', 'reply', 'reply', 'mention', 'reblog', 'reblog', 'unreblog', 'delete', 'trim'];

/** Groups of actions that undo or affect each other. A sequence has many actions of one group. */
const actionGroups = [
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

/** How many of the latest posts an action can choose from. */
const choosablePosts = 6;

/** `actor` and `target` are indexes of users; `number` chooses the post and the variant of the action. */
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

/** Generates sequences about one account that alice follows, which is the actor of most steps. */
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

async function runStep(simulation: Simulation, { action, actor, target, number }: Step): Promise<void> {
  const { users, posts, server } = simulation;
  await actions[action]?.({
    simulation,
    alice: users[0] as TestUser,
    actor: users[actor] as TestUser,
    target: users[target] as TestUser,
    chosen: posts.at(-1 - (number % choosablePosts)),
    number,
  });
  if (alwaysJobActions.has(action) || (jobActions.has(action) && actor !== 0)) await server.drain();
}

/** Checks that both lists show the same posts, from the top and from the middle. */
async function expectSameFeeds({ server, users, lists, posts }: Simulation, step: string): Promise<void> {
  const alice = users[0] as TestUser;
  const [stored, unstored] = lists as [string, string];
  await deleteListFeed(server, unstored);
  const down = async (id: string) => (await walk(alice, `${listTimelinePath(id)}?limit=5`)).map((status) => status.id);
  expect(await down(stored), step).toEqual(await down(unstored));
  const middle = posts[Math.floor(posts.length / 2)]?.id ?? '0';
  const up = async (id: string) => {
    const { json } = await alice.get(`${listTimelinePath(id)}?limit=5&min_id=${middle}`);
    return (json as { id: string }[]).map((status) => status.id);
  };
  expect(await up(stored), `${step}, upwards`).toEqual(await up(unstored));
}

test.for(actionGroups.map((changes) => [changes.join(', '), changes] as const))(
  'LST-02: a stored list feed always shows what a query of its members’ posts shows (%s)',
  async ([, changes]) => {
    await using server = await startServer();
    Object.assign(feedLimits(server.app), { maxBuiltEntries: 8, maxStoredEntries: 10 });
    const simulation = await createSimulation(server);
    await fc.assert(
      fc.asyncProperty(sequenceArbitrary(changes), async ({ policy, steps }) => {
        await resetSimulation(simulation, policy);
        for (const each of steps) {
          await runStep(simulation, each);
          await expectSameFeeds(simulation, JSON.stringify(each));
          await server.drain();
        }
        await expectSameFeeds(simulation, 'at the end');
      }),
      { numRuns: 2, endOnFailure: true },
    );
  },
);
