import type { TestServer, TestUser } from './server.ts';
import type { Client, TestResponse } from './client.ts';

/** A paged listing of the client interface, with what brings items into it and takes them out again. */
export interface Listing {
  /** Path of its route, as it is declared. */
  readonly route: string;
  /** Where it is read; may have a query. */
  readonly url: string;
  readonly client: Client;
  /** Adds an item at its new end; gives its key, undefined when there is nobody left who could be added. */
  readonly add: () => Promise<string | undefined>;
  readonly remove: (key: string) => Promise<unknown>;
  // Items are objects of any kind, or texts.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly keyOf: (item: any) => string;
  /** Walked by offset: `max_id` is all that it knows of ids. */
  readonly isByOffset?: true;
}

const statuses = '/api/v1/statuses';
const accounts = '/api/v1/accounts';

type ListingFactory = (server: TestServer, crowd: readonly TestUser[]) => Promise<Listing[]>;
type CreateUser = (name: string) => Promise<TestUser>;

/** Every listing that is paged by ids, each with people of its own so that none stands in the way of another. */
export async function createListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const makers: ListingFactory[] = [
    timelineListings,
    reactionListings,
    savedListings,
    accountListings,
    relationListings,
    collectionListings,
  ];
  const listings: Listing[] = [];
  for (const make of makers) listings.push(...(await make(server, crowd)));
  return listings;
}

const createUserOn =
  (server: TestServer): CreateUser =>
  (name) =>
    server.user(name);

async function expectOk(request: Promise<TestResponse>): Promise<TestResponse> {
  const answer = await request;
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  return (await expectOk(user.post(statuses, { status, ...more }))).json.id as string;
}

const idOf = (item: { id: string }): string => item.id;

/** A listing of what one author posts. */
function postListing(
  route: string,
  {
    author,
    url = route,
    as,
    text = '',
    more,
  }: { author: TestUser; url?: string; as: Client; text?: string; more?: object },
): Listing {
  let count = 0;
  return {
    route,
    url,
    client: as,
    keyOf: idOf,
    add: () => post(author, `${text} number ${(count += 1)}`, { visibility: 'unlisted', ...more }),
    remove: (id) => expectOk(author.delete(`${statuses}/${id}`)),
  };
}

/** A listing that things, which are there from the beginning, join and leave; who left longest ago joins first. */
function memberListing<Member>(
  route: string,
  facts: {
    url?: string;
    as: Client;
    members: readonly Member[];
    nameOf: (member: Member) => string;
    keyOf?: Listing['keyOf'];
    join: (member: Member) => Promise<unknown>;
    leave: (member: Member) => Promise<unknown>;
  },
): Listing {
  const outside = [...facts.members];
  const inside = new Map<string, Member>();
  return {
    route,
    url: facts.url ?? route,
    client: facts.as,
    keyOf: facts.keyOf ?? idOf,
    async add() {
      const member = outside.shift();
      if (member === undefined) return undefined;
      await facts.join(member);
      inside.set(facts.nameOf(member), member);
      return facts.nameOf(member);
    },
    async remove(key) {
      const member = inside.get(key);
      if (member === undefined) throw new Error(`${key} is not in ${route}`);
      inside.delete(key);
      outside.push(member);
      await facts.leave(member);
    },
  };
}

async function timelineListings(server: TestServer): Promise<Listing[]> {
  const person = createUserOn(server);
  const [author, reader] = [await person('home_author'), await person('home_reader')];
  const [listed, owner] = [await person('list_author'), await person('list_reader')];
  await reader.post(`${accounts}/${author.id}/follow`);
  await owner.post(`${accounts}/${listed.id}/follow`);
  const { id: listId } = (await owner.post('/api/v1/lists', { title: 'Paged' })).json as { id: string };
  await owner.post(`/api/v1/lists/${listId}/accounts`, { account_ids: [listed.id] });
  const own = await person('own_author');
  const anonymous = server.anonymous;
  const page = 'https://news.test/paged';
  return [
    postListing('/api/v1/timelines/public', {
      author: await person('public_author'),
      url: '/api/v1/timelines/public?local=true',
      as: anonymous,
      more: { visibility: 'public' },
    }),
    postListing('/api/v1/timelines/home', { author, as: reader }),
    postListing('/api/v1/timelines/list/:list_id', {
      author: listed,
      url: `/api/v1/timelines/list/${listId}`,
      as: owner,
    }),
    postListing('/api/v1/timelines/tag/:hashtag', {
      author: await person('tag_author'),
      url: '/api/v1/timelines/tag/paged?any[]=other',
      as: anonymous,
      text: '#paged',
      more: { visibility: 'public' },
    }),
    postListing('/api/v1/timelines/link', {
      author: await person('link_author'),
      url: `/api/v1/timelines/link?url=${encodeURIComponent(page)}`,
      as: anonymous,
      text: page,
      more: { visibility: 'public' },
    }),
    postListing('/api/v1/accounts/:id/statuses', {
      author: own,
      url: `${accounts}/${own.id}/statuses?exclude_replies=true`,
      as: anonymous,
    }),
  ];
}

/** Who favourited, reblogged and quoted it. */
async function reactionListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const author = await server.user('liked_author');
  const id = await post(author, 'Everybody likes this', { visibility: 'unlisted' });
  const reactions = (verb: string, listing: string): Listing =>
    memberListing(`/api/v1/statuses/:id/${listing}`, {
      url: `${statuses}/${id}/${listing}`,
      as: server.anonymous,
      members: crowd,
      nameOf: idOf,
      join: (user) => expectOk(user.post(`${statuses}/${id}/${verb}`)),
      leave: (user) => expectOk(user.post(`${statuses}/${id}/un${verb}`)),
    });
  return [
    reactions('favourite', 'favourited_by'),
    reactions('reblog', 'reblogged_by'),
    postListing('/api/v1/statuses/:id/quotes', {
      author: await server.user('quoting_author'),
      url: `${statuses}/${id}/quotes`,
      as: author,
      more: { quoted_status_id: id },
    }),
  ];
}

/** What somebody keeps of posts: favourites, bookmarks, scheduled ones, notifications and conversations. */
async function savedListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const [author, keeper, told] = [
    await server.user('kept_author'),
    await server.user('keeper'),
    await server.user('told'),
  ];
  const posts: { id: string }[] = [];
  for (let count = 0; count < crowd.length; count += 1) {
    posts.push({ id: await post(author, `kept ${count}`, { visibility: 'unlisted' }) });
  }
  const saved = (verb: string): Listing =>
    memberListing(`/api/v1/${verb}s`, {
      as: keeper,
      members: posts,
      nameOf: idOf,
      join: ({ id }) => expectOk(keeper.post(`${statuses}/${id}/${verb}`)),
      leave: ({ id }) => expectOk(keeper.post(`${statuses}/${id}/un${verb}`)),
    });
  const later = () => new Date(server.clock.now().getTime() + 86_400_000).toISOString();
  const among = async (url: string, isIt: (item: { status: { id: string }; last_status: { id: string } }) => boolean) =>
    ((await keeper.get(url)).json as { id: string; status: { id: string }; last_status: { id: string } }[]).find(isIt)
      ?.id;
  const notifications = '/api/v1/notifications';
  const asTold = async (key: string) =>
    ((await told.get(`${notifications}?limit=80`)).json as { id: string; status: { id: string } }[]).find(
      (item) => item.status.id === key,
    )?.id;
  let [turn, count] = [0, 0];
  const member = () => crowd[(turn += 1) % crowd.length] ?? author;
  return [
    saved('favourite'),
    saved('bookmark'),
    {
      route: '/api/v1/scheduled_statuses',
      url: '/api/v1/scheduled_statuses',
      client: keeper,
      keyOf: idOf,
      add: () => post(keeper, `later ${(count += 1)}`, { scheduled_at: later() }),
      remove: (id) => expectOk(keeper.delete(`/api/v1/scheduled_statuses/${id}`)),
    },
    {
      route: notifications,
      url: `${notifications}?exclude_types[]=follow&include_filtered=true`,
      client: told,
      keyOf: (item) => item.status.id,
      add: () => post(member(), `@told ${(count += 1)}`, { visibility: 'unlisted' }),
      remove: async (key) => expectOk(told.post(`${notifications}/${await asTold(key)}/dismiss`)),
    },
    {
      route: '/api/v1/conversations',
      url: '/api/v1/conversations',
      client: keeper,
      keyOf: (item) => item.last_status.id,
      add: () => post(member(), `@keeper ${(count += 1)}`, { visibility: 'direct' }),
      remove: async (key) =>
        expectOk(
          keeper.delete(
            `/api/v1/conversations/${await among('/api/v1/conversations?limit=40', (item) => item.last_status.id === key)}`,
          ),
        ),
    },
  ];
}

/** The people around somebody, and the members of a list. */
async function accountListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const person = createUserOn(server);
  const [star, fan, locked] = [await person('star'), await person('fan'), await person('locked')];
  const [owner, endorser, visited] = [await person('list_owner'), await person('endorser'), await person('visited')];
  await locked.patch('/api/v1/accounts/update_credentials', { locked: true });
  const { id: listId } = (await owner.post('/api/v1/lists', { title: 'Members' })).json as { id: string };
  const list = `/api/v1/lists/${listId}/accounts`;
  for (const user of crowd) {
    for (const follower of [owner, endorser, visited]) await expectOk(follower.post(`${accounts}/${user.id}/follow`));
  }
  const all = { members: crowd, nameOf: idOf };
  const endorsements = (route: string, { by, ...facts }: { by: TestUser; url?: string; as: Client }): Listing =>
    memberListing(route, {
      ...all,
      ...facts,
      join: ({ id }) => expectOk(by.post(`${accounts}/${id}/endorse`)),
      leave: ({ id }) => expectOk(by.post(`${accounts}/${id}/unendorse`)),
    });
  return [
    memberListing('/api/v1/accounts/:id/followers', {
      ...all,
      url: `${accounts}/${star.id}/followers`,
      as: server.anonymous,
      join: (user) => expectOk(user.post(`${accounts}/${star.id}/follow`)),
      leave: (user) => expectOk(user.post(`${accounts}/${star.id}/unfollow`)),
    }),
    memberListing('/api/v1/accounts/:id/following', {
      ...all,
      url: `${accounts}/${fan.id}/following`,
      as: fan,
      join: ({ id }) => expectOk(fan.post(`${accounts}/${id}/follow`)),
      leave: ({ id }) => expectOk(fan.post(`${accounts}/${id}/unfollow`)),
    }),
    memberListing('/api/v1/follow_requests', {
      ...all,
      as: locked,
      join: (user) => expectOk(user.post(`${accounts}/${locked.id}/follow`)),
      leave: (user) => expectOk(user.post(`${accounts}/${locked.id}/unfollow`)),
    }),
    memberListing('/api/v1/lists/:id/accounts', {
      ...all,
      url: list,
      as: owner,
      join: ({ id }) => expectOk(owner.post(list, { account_ids: [id] })),
      leave: ({ id }) => expectOk(owner.delete(list, { account_ids: [id] })),
    }),
    endorsements('/api/v1/endorsements', { by: endorser, as: endorser }),
    endorsements('/api/v1/accounts/:id/endorsements', {
      by: visited,
      url: `${accounts}/${visited.id}/endorsements`,
      as: server.anonymous,
    }),
  ];
}

/** Whom and what somebody hides or follows. */
async function relationListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const person = await server.user('particular');
  const act = (route: string, verb: string): Listing =>
    memberListing(route, {
      as: person,
      members: crowd,
      nameOf: idOf,
      join: ({ id }) => expectOk(person.post(`${accounts}/${id}/${verb}`)),
      leave: ({ id }) => expectOk(person.post(`${accounts}/${id}/un${verb}`)),
    });
  const names = crowd.map((_, index) => `word${index}`);
  return [
    act('/api/v1/blocks', 'block'),
    act('/api/v1/mutes', 'mute'),
    memberListing('/api/v1/domain_blocks', {
      as: person,
      members: names,
      nameOf: (name) => `${name}.test`,
      keyOf: String,
      join: (name) => expectOk(person.post('/api/v1/domain_blocks', { domain: `${name}.test` })),
      leave: (name) => expectOk(person.delete('/api/v1/domain_blocks', { domain: `${name}.test` })),
    }),
    memberListing('/api/v1/followed_tags', {
      as: person,
      members: names,
      nameOf: String,
      keyOf: (item) => item.name,
      join: (name) => expectOk(person.post(`/api/v1/tags/${name}/follow`)),
      leave: (name) => expectOk(person.post(`/api/v1/tags/${name}/unfollow`)),
    }),
  ];
}

/** Collections that somebody made, and those that somebody stands in, by both names of the interface. */
async function collectionListings(server: TestServer): Promise<Listing[]> {
  await server.db.updateTable('roles').set({ collection_limit: 1_000 }).execute();
  const listings: Listing[] = [];
  for (const version of ['v1', 'v1_alpha']) {
    for (const kind of ['collections', 'in_collections'] as const) {
      const [owner, member] = [await server.user(`${kind}_${version}_a`), await server.user(`${kind}_${version}_b`)];
      await member.patch(`${accounts}/update_credentials`, { discoverable: true });
      const shown = kind === 'collections' ? owner : member;
      listings.push({
        route: `/api/${version}/accounts/:account_id/${kind}`,
        url: `/api/${version}/accounts/${shown.id}/${kind}`,
        client: shown,
        keyOf: idOf,
        isByOffset: true,
        async add() {
          const { json } = await expectOk(
            owner.post('/api/v1/collections', { name: 'Paged', account_ids: [member.id] }),
          );
          return json.collection.id as string;
        },
        remove: (id) => expectOk(owner.delete(`/api/v1/collections/${id}`)),
      });
    }
  }
  return listings;
}
