import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { idFromDate, type AccountId, type StatusId } from '../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount } from '../../server/relationships/follow/index.ts';
import { blockAccount, blockDomain, muteAccount } from '../../server/relationships/hide/index.ts';
import { storeRemoteReblog, storeRemoteStatus } from '../../server/statuses/remote/index.ts';
import type { Visibility } from '../../server/statuses/index.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { createCrowd, TestSocket } from '../streams.ts';

// Random scenes of relations, filters, lists and posts. What a reader's streams show must be what the timelines show.

/** A small generator of random numbers (mulberry32), so that a seed repeats a scene. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number from 0 to below 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.roll() * items.length)] as Item;
  }

  some<Item>(items: readonly Item[], probability: number): Item[] {
    return items.filter(() => this.chance(probability));
  }
}

interface Author {
  readonly id: AccountId;
  readonly handle: string;
  /** Undefined for a remote one. */
  readonly user: TestUser | undefined;
}

const languages = ['en', 'de', undefined];
const tags = ['birds', 'fish'];
const words = ['herring', 'robin', 'thrush'];
const domains = ['one.test', 'two.test'];

async function createAuthors(server: TestServer): Promise<Author[]> {
  const authors: Author[] = [];
  for (const name of ['ann', 'ben', 'cat']) {
    const user = await server.user(name);
    authors.push({ id: user.id, handle: name, user });
  }
  for (const [index, domain] of [...domains, ...domains].entries()) {
    const username = `remote${index}`;
    const uri = `https://${domain}/users/${username}`;
    const id = await transaction(server.app, (tx) =>
      storeRemoteAccount(tx, server.app, { uri, username, domain, inboxUrl: `${uri}/inbox` }),
    );
    authors.push({ id, handle: `${username}@${domain}`, user: undefined });
  }
  return authors;
}

/** Adds random relations, filters, hashtags and lists of a reader. Returns the ids of the lists. */
async function relate(server: TestServer, dice: Dice, reader: TestUser, authors: readonly Author[]): Promise<string[]> {
  const { app } = server;
  const others = authors.filter(({ id }) => id !== reader.id);
  const followed = dice.some(others, 0.7);
  for (const { id } of followed) {
    const options = {
      reblogs: dice.chance(0.8),
      ...(dice.chance(0.3) && { languages: [dice.pick(['en', 'de'])] }),
    };
    if ((await followAccount(app, reader.id, id, options)) === 'requested')
      await acceptFollowRequest(app, id, reader.id);
  }
  const lists: string[] = [];
  for (const policy of ['none', 'list', 'followed']) {
    const list = { title: policy, replies_policy: policy, exclusive: dice.chance(0.3) };
    const { id } = (await reader.post('/api/v1/lists', list)).json as { id: string };
    const members = dice.some(followed, 0.5).map((author) => author.id);
    if (members.length > 0) await reader.post(`/api/v1/lists/${id}/accounts`, { account_ids: members });
    lists.push(id);
  }
  for (const { id } of dice.some(others, 0.12)) await muteAccount(app, reader.id, id);
  for (const { id } of dice.some(others, 0.08)) await blockAccount(app, reader.id, id);
  for (const { id } of dice.some(others, 0.08)) await blockAccount(app, id, reader.id);
  if (dice.chance(0.3)) await blockDomain(app, reader.id, dice.pick(domains));
  for (const tag of dice.some(tags, 0.4)) await reader.post(`/api/v1/tags/${tag}/follow`);
  for (const word of dice.some(words, 0.5)) {
    const keywords = [{ keyword: word, whole_word: true }];
    await reader.post('/api/v2/filters', { title: word, context: ['home'], keywords_attributes: keywords });
  }
  return lists;
}

/** Posts or boosts as a random author. */
async function act(server: TestServer, dice: Dice, authors: readonly Author[], posted: StatusId[]): Promise<void> {
  const { app } = server;
  const author = dice.pick(authors);
  const earlier = posted.length > 0 ? dice.pick(posted) : undefined;
  server.clock.advance(60);
  const publishedAt = server.clock.now();
  if (earlier !== undefined && dice.chance(0.3)) {
    if (author.user !== undefined) await author.user.post(`/api/v1/statuses/${earlier}/reblog`);
    else {
      const uri = `https://remote.test/boosts/${posted.length}-${publishedAt.getTime()}`;
      await storeRemoteReblog(app, {
        accountId: author.id,
        reblogOfId: earlier,
        uri,
        visibility: 'public',
        publishedAt,
      });
    }
    return;
  }
  const visibility = dice.pick<Visibility>(['public', 'public', 'public', 'unlisted', 'private', 'direct']);
  const mentioned = dice.some(authors, 0.15);
  const names = dice.some(tags, 0.3);
  const text = [
    `A ${dice.pick(words)}`,
    ...mentioned.map(({ handle }) => `@${handle}`),
    ...names.map((tag) => `#${tag}`),
  ];
  const inReplyToId = earlier !== undefined && dice.chance(0.35) ? earlier : undefined;
  const language = dice.pick(languages);
  if (author.user !== undefined) {
    const options = { visibility, language, in_reply_to_id: inReplyToId };
    const response = await author.user.post('/api/v1/statuses', { status: text.join(' '), ...options });
    // The author may not see the post that it was to answer.
    if (response.status === 200) posted.push((response.json as { id: StatusId }).id);
    return;
  }
  const id = await storeRemoteStatus(app, {
    uri: `https://remote.test/posts/${idFromDate(publishedAt)}`,
    accountId: author.id,
    content: `<p>${text.join(' ')}</p>`,
    visibility,
    language,
    inReplyToId,
    mentions: mentioned.map(({ id: accountId }) => ({ accountId, silent: dice.chance(0.2) })),
    tags: names,
    publishedAt,
  });
  if (id !== undefined) posted.push(id);
}

/** Has more accounts block and mute the authors, and put them into exclusive lists, than there are streams. */
async function hateAll(server: TestServer, authors: readonly Author[]): Promise<void> {
  const haters = await createCrowd(server, 80);
  await server.pool.query(
    `with hated as (
       select row_number() over () as id, hater, author from unnest($1::bigint[]) hater cross join unnest($2::bigint[]) author
     ), block as (
       insert into blocks (id, account_id, target_account_id, created_at) select id, hater, author, now() from hated
     ), mute as (
       insert into mutes (id, account_id, target_account_id, created_at) select id, hater, author, now() from hated
     ), list as (
       insert into lists (id, account_id, title, replies_policy, exclusive, created_at)
       select hater, hater, 'Authors', 'list', true, now() from unnest($1::bigint[]) hater
     )
     insert into list_accounts (id, list_id, account_id, owner_id, exclusive) select id, hater, author, hater, true from hated`,
    [haters, authors.map(({ id }) => id)],
  );
}

interface ShownStatus {
  readonly id: string;
  readonly content: string;
  readonly filtered: unknown;
  readonly reblog: { readonly id: string; readonly filtered: unknown } | null;
}

const summary = ({ id, content, filtered, reblog }: ShownStatus) => ({
  id,
  content,
  filtered,
  reblog: reblog && { id: reblog.id, filtered: reblog.filtered },
});

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => Number(BigInt(a.id) - BigInt(b.id));

test.for([1, 2, 3, 4])('STR-02: streams show what timelines show (scene %i)', async (seed) => {
  const dice = new Dice(seed);
  await using server = await startServer();
  server.expectUndelivered(/\.test$/u);
  const authors = await createAuthors(server);
  const readers = [...authors.flatMap(({ user }) => user ?? []), await server.user('reader')];
  const compared: {
    readonly reader: TestUser;
    readonly socket: TestSocket;
    readonly timelines: Map<string, string>;
  }[] = [];
  for (const reader of readers) {
    const lists = await relate(server, dice, reader, authors);
    const timelines = new Map([
      ['user', '/api/v1/timelines/home?limit=40'],
      ['public', '/api/v1/timelines/public?limit=40'],
      ['public:local', '/api/v1/timelines/public?limit=40&local=true'],
      ['public:remote', '/api/v1/timelines/public?limit=40&remote=true'],
      ...tags.map((tag): [string, string] => [`hashtag ${tag}`, `/api/v1/timelines/tag/${tag}?limit=40`]),
      ...tags.map((tag): [string, string] => [
        `hashtag:local ${tag}`,
        `/api/v1/timelines/tag/${tag}?limit=40&local=true`,
      ]),
      ...lists.map((id): [string, string] => [`list ${id}`, `/api/v1/timelines/list/${id}?limit=40`]),
    ]);
    compared.push({ reader, socket: await TestSocket.open(server, reader), timelines });
  }
  // Streams find the readers of authors with very many followers, and of hated ones, in another way.
  if (seed % 2 === 0) {
    const counts = { followers_count: 1_000, local_followers_count: 1_000 };
    await server.db.updateTable('account_stats').set(counts).execute();
    await hateAll(server, authors);
  }
  await server.drain();
  for (const { socket, timelines } of compared) {
    for (const name of timelines.keys()) {
      const [stream = '', parameter] = name.split(' ');
      await socket.subscribe(stream, { tag: parameter, list: parameter });
    }
    await socket.take();
  }
  const received = compared.map((): Map<string, ShownStatus[]> => new Map());
  const posted: StatusId[] = [];
  for (let step = 0; step < 36; step += 1) {
    for (let acts = dice.chance(0.4) ? 2 : 1; acts > 0; acts -= 1) await act(server, dice, authors, posted);
    const { reader, timelines } = dice.pick(compared);
    const path = dice.pick([...timelines.values()].filter((each) => /\/(?:home|list)/.test(each)));
    const beforeJobs = (await reader.get(path)).json as ShownStatus[];
    await server.drain();
    const afterJobs = (await reader.get(path)).json as ShownStatus[];
    expect(beforeJobs.map(summary), `${reader.username}: ${path} before and after the fan-out`).toEqual(
      afterJobs.map(summary),
    );
    for (const [index, { socket }] of compared.entries()) {
      for (const { stream = [], event, payload } of await socket.take()) {
        if (event !== 'update') continue;
        const shown = received[index]?.get(stream.join(' ')) ?? [];
        received[index]?.set(stream.join(' '), [...shown, JSON.parse(payload) as ShownStatus]);
      }
    }
  }
  let count = 0;
  for (const [index, { reader, socket, timelines }] of compared.entries()) {
    for (const [stream, path] of timelines) {
      const listed = (await reader.get(path)).json as ShownStatus[];
      const streamed = received[index]?.get(stream) ?? [];
      expect(streamed.toSorted(byId).map(summary), `${reader.username}: ${stream}`).toEqual(
        listed.toSorted(byId).map(summary),
      );
      count += listed.length;
    }
    socket.close();
  }
  expect(count).toBeGreaterThan(60);
});
