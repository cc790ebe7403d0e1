import { transaction } from '../server/platform/database/transaction.ts';
import type { RowId } from '../server/platform/ids.ts';
import { recordStaffAction } from '../server/site/audit/index.ts';
import { blockListings } from './staff/block-listings.ts';
import type { TestServer, TestUser } from './server.ts';
import { adminAccountListing, strikeListings } from './staff/account-listings.ts';
import type { Client, TestResponse } from './client.ts';

/** A paginated listing of the client API, with functions that add and remove items. */
export interface Listing {
  /** Path of the route, as declared. */
  readonly route: string;
  /** URL of the listing, which may have a query. */
  readonly url: string;
  readonly client: Client;
  /** Adds the newest item and returns its key, or undefined if no more can be added. */
  readonly add: () => Promise<string | undefined>;
  readonly remove: (key: string) => Promise<unknown>;
  // Items are objects of any type, or strings.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly keyOf: (item: any) => string;
  /** Paged by offset, with `max_id` as the only cursor. */
  readonly isByOffset?: true;
}

const statuses = '/api/v1/statuses';
const accounts = '/api/v1/accounts';

type ListingFactory = (server: TestServer, crowd: readonly TestUser[]) => Promise<Listing[]>;
type CreateUser = (name: string) => Promise<TestUser>;

/** Creates every listing that is paged by ids. Each has its own users, so that they do not affect each other. */
export async function createListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const factories: ListingFactory[] = [
    timelineListings,
    reactionListings,
    savedListings,
    requestListings,
    staffListings,
    blockListings,
    accountListings,
    relationListings,
    collectionListings,
    webhookListings,
  ];
  const listings: Listing[] = [];
  for (const create of factories) listings.push(...(await create(server, crowd)));
  return listings;
}

const createUserOn =
  (server: TestServer): CreateUser =>
  (name) =>
    server.user(name);

async function expectOk(request: Promise<TestResponse>): Promise<TestResponse> {
  const response = await request;
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response;
}

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  return (await expectOk(user.post(statuses, { status, ...more }))).json.id as string;
}

const idOf = (item: { id: string }): string => item.id;

/** A listing of the posts of one author. */
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

/** A listing that existing members join and leave. The member that left first joins next. */
function memberListing<Member>(
  route: string,
  options: {
    url?: string;
    as: Client;
    members: readonly Member[];
    nameOf: (member: Member) => string;
    keyOf?: Listing['keyOf'];
    join: (member: Member) => Promise<unknown>;
    leave: (member: Member) => Promise<unknown>;
  },
): Listing {
  const outside = [...options.members];
  const inside = new Map<string, Member>();
  return {
    route,
    url: options.url ?? route,
    client: options.as,
    keyOf: options.keyOf ?? idOf,
    async add() {
      const member = outside.shift();
      if (member === undefined) return undefined;
      await options.join(member);
      inside.set(options.nameOf(member), member);
      return options.nameOf(member);
    },
    async remove(key) {
      const member = inside.get(key);
      if (member === undefined) throw new Error(`${key} is not in ${route}`);
      inside.delete(key);
      outside.push(member);
      await options.leave(member);
    },
  };
}

async function timelineListings(server: TestServer): Promise<Listing[]> {
  const createUser = createUserOn(server);
  const [author, reader] = [await createUser('home_author'), await createUser('home_reader')];
  const [listed, owner] = [await createUser('list_author'), await createUser('list_reader')];
  await reader.post(`${accounts}/${author.id}/follow`);
  await owner.post(`${accounts}/${listed.id}/follow`);
  const { id: listId } = (await owner.post('/api/v1/lists', { title: 'Paged' })).json as { id: string };
  await owner.post(`/api/v1/lists/${listId}/accounts`, { account_ids: [listed.id] });
  const own = await createUser('own_author');
  const anonymous = server.anonymous;
  const page = 'https://news.test/paged';
  return [
    postListing('/api/v1/timelines/public', {
      author: await createUser('public_author'),
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
      author: await createUser('tag_author'),
      url: '/api/v1/timelines/tag/paged?any[]=other',
      as: anonymous,
      text: '#paged',
      more: { visibility: 'public' },
    }),
    postListing('/api/v1/timelines/link', {
      author: await createUser('link_author'),
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

/** Listings of accounts that favourited and boosted a post, and of posts that quote it. */
async function reactionListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const author = await server.user('liked_author');
  const id = await post(author, 'Everyone likes this', { visibility: 'unlisted' });
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

const drafts = '/api/v1/fieldfare/drafts';
const bookmarks = '/api/v1/fieldfare/bookmarks';

/** Favourites, bookmarks, scheduled posts, drafts, notifications and conversations of a user. */
async function savedListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const [author, reader, recipient, grouped, filer] = [
    await server.user('kept_author'),
    await server.user('reader'),
    await server.user('recipient'),
    await server.user('grouped'),
    await server.user('filer'),
  ];
  const posts: { id: string }[] = [];
  for (let count = 0; count < crowd.length; count += 1) {
    posts.push({ id: await post(author, `kept ${count}`, { visibility: 'unlisted' }) });
  }
  const saved = (verb: string): Listing =>
    memberListing(`/api/v1/${verb}s`, {
      as: reader,
      members: posts,
      nameOf: idOf,
      join: ({ id }) => expectOk(reader.post(`${statuses}/${id}/${verb}`)),
      leave: ({ id }) => expectOk(reader.post(`${statuses}/${id}/un${verb}`)),
    });
  const later = () => new Date(server.clock.now().getTime() + 86_400_000).toISOString();
  const findIdIn = async (
    url: string,
    matches: (item: { status: { id: string }; last_status: { id: string } }) => boolean,
  ) =>
    ((await reader.get(url)).json as { id: string; status: { id: string }; last_status: { id: string } }[]).find(
      matches,
    )?.id;
  const notifications = '/api/v1/notifications';
  const findNotificationId = async (key: string) =>
    ((await recipient.get(`${notifications}?limit=80`)).json as { id: string; status: { id: string } }[]).find(
      (item) => item.status.id === key,
    )?.id;
  const groups = '/api/v2/notifications';
  const findGroupKey = async (statusId: string) =>
    (
      (await grouped.get(`${groups}?limit=80&include_filtered=true`)).json as {
        notification_groups: { group_key: string; status_id: string }[];
      }
    ).notification_groups.find((group) => group.status_id === statusId)?.group_key;
  let [index, count] = [0, 0];
  const nextMember = () => crowd[(index += 1) % crowd.length] ?? author;
  return [
    saved('favourite'),
    saved('bookmark'),
    {
      route: '/api/v1/scheduled_statuses',
      url: '/api/v1/scheduled_statuses',
      client: reader,
      keyOf: idOf,
      add: () => post(reader, `later ${(count += 1)}`, { scheduled_at: later() }),
      remove: (id) => expectOk(reader.delete(`/api/v1/scheduled_statuses/${id}`)),
    },
    memberListing(bookmarks, {
      url: `${bookmarks}?unfiled=true&q=kept`,
      as: filer,
      members: posts,
      nameOf: idOf,
      join: ({ id }) => expectOk(filer.post(`${statuses}/${id}/bookmark`)),
      leave: ({ id }) => expectOk(filer.post(`${statuses}/${id}/unbookmark`)),
    }),
    {
      route: drafts,
      url: drafts,
      client: reader,
      keyOf: idOf,
      add: async () => (await expectOk(reader.post(drafts, { posts: [{ text: 'Unfinished' }] }))).json.id as string,
      remove: (id) => expectOk(reader.delete(`${drafts}/${id}`)),
    },
    {
      route: notifications,
      url: `${notifications}?exclude_types[]=follow&include_filtered=true`,
      client: recipient,
      keyOf: (item) => item.status.id,
      add: () => post(nextMember(), `@recipient ${(count += 1)}`, { visibility: 'unlisted' }),
      remove: async (key) => expectOk(recipient.post(`${notifications}/${await findNotificationId(key)}/dismiss`)),
    },
    {
      route: groups,
      url: `${groups}?exclude_types[]=follow&include_filtered=true`,
      client: grouped,
      keyOf: (item) => item.status_id,
      add: () => post(nextMember(), `@grouped ${(count += 1)}`, { visibility: 'unlisted' }),
      remove: async (key) => expectOk(grouped.post(`${groups}/${await findGroupKey(key)}/dismiss`)),
    },
    {
      route: '/api/v1/conversations',
      url: '/api/v1/conversations',
      client: reader,
      keyOf: (item) => item.last_status.id,
      add: () => post(nextMember(), `@reader ${(count += 1)}`, { visibility: 'direct' }),
      remove: async (key) =>
        expectOk(
          reader.delete(
            `/api/v1/conversations/${await findIdIn('/api/v1/conversations?limit=40', (item) => item.last_status.id === key)}`,
          ),
        ),
    },
  ];
}

/** Requests of accounts whose notifications the policy of a user filters. */
async function requestListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const gated = await server.user('gated');
  await expectOk(gated.patch('/api/v2/notifications/policy', { for_not_following: 'filter' }));
  const requests = '/api/v1/notifications/requests';
  const findRequestId = async (accountId: string) =>
    ((await gated.get(`${requests}?limit=80`)).json as { id: string; account: { id: string } }[]).find(
      ({ account }) => account.id === accountId,
    )?.id;
  return [
    memberListing(requests, {
      as: gated,
      members: crowd,
      nameOf: idOf,
      keyOf: (item) => item.account.id,
      join: (user) => post(user, '@gated hello', { visibility: 'unlisted' }),
      leave: async (user) => expectOk(gated.post(`${requests}/${await findRequestId(user.id)}/dismiss`)),
    }),
  ];
}

/** The announcements of staff. */
async function staffListings(server: TestServer): Promise<Listing[]> {
  const owner = await server.user('announcer', { role: 'owner', scopes: 'admin:read admin:write' });
  const announcements = '/api/v1/fieldfare/admin/announcements';
  return [
    {
      route: announcements,
      url: announcements,
      client: owner,
      keyOf: idOf,
      add: async () => (await expectOk(owner.post(announcements, { text: 'News' }))).json.id as string,
      remove: (id) => expectOk(owner.delete(`${announcements}/${id}`)),
    },
    auditLogListing(server, owner),
    adminAccountListing(server, { staff: owner, version: 1 }),
    adminAccountListing(server, { staff: owner, version: 2 }),
    ...(await strikeListings(server, owner)),
    domainListing(owner, '/api/v1/admin/domain_blocks'),
    domainListing(owner, '/api/v1/admin/domain_allows'),
  ];
}

let domainCount = 0;

/** Domains that staff block or allow. */
function domainListing(staff: TestUser, route: string): Listing {
  return {
    route,
    url: route,
    client: staff,
    keyOf: idOf,
    add: async () => {
      domainCount += 1;
      return (await expectOk(staff.post(route, { domain: `d${domainCount}.example` }))).json.id as string;
    },
    remove: (id) => expectOk(staff.delete(`${route}/${id}`)),
  };
}

/** The audit log. Nothing but the test deletes entries. */
function auditLogListing(server: TestServer, staff: TestUser): Listing {
  const route = '/api/v1/fieldfare/admin/audit_log';
  const addEntry = () =>
    transaction(server.app, async (tx) =>
      recordStaffAction(tx, 'system', { target: 'hashtag', verb: 'update', label: 'birds' }),
    );
  return {
    route,
    url: `${route}?action=hashtag.update`,
    client: staff,
    keyOf: idOf,
    add: async () => {
      await addEntry();
      const [entry] = (await expectOk(staff.get(`${route}?limit=1`))).json;
      return entry.id as string;
    },
    remove: (id) =>
      transaction(server.app, ({ db }) =>
        db
          .deleteFrom('audit_log')
          .where('id', '=', id as RowId)
          .execute(),
      ),
  };
}

/** Followers, followed accounts, follow requests and endorsements of users, and the members of a list. */
async function accountListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const createUser = createUserOn(server);
  const [star, fan, locked] = [await createUser('star'), await createUser('fan'), await createUser('locked')];
  const [owner, endorser, visited] = [
    await createUser('list_owner'),
    await createUser('endorser'),
    await createUser('visited'),
  ];
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

/** Accounts and domains that a user hides, and hashtags that a user follows. */
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

/** Collections that a user created, and collections with a user, at both versions of the API. */
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

/** The log of a webhook. Its entries are deleted by the server only. */
async function webhookListings(server: TestServer): Promise<Listing[]> {
  const owner = await server.user('webhook_owner');
  const webhooks = '/api/v1/fieldfare/webhooks';
  const { id } = (await expectOk(owner.post(webhooks, { url: 'https://news.test/', events: ['status.created'] }))).json;
  const url = `${webhooks}/${id}/deliveries`;
  return [
    {
      route: `${webhooks}/:id/deliveries`,
      url,
      client: owner,
      keyOf: idOf,
      add: async () => {
        await post(owner, 'News', { visibility: 'unlisted' });
        return (await expectOk(owner.get(`${url}?limit=1`))).json[0].id as string;
      },
      remove: (key) => server.pool.query('delete from webhook_deliveries where id = $1', [key]),
    },
  ];
}
