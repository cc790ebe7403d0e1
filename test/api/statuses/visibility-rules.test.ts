import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadCachedAccounts } from '../../../server/accounts/present/index.ts';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { notify } from '../../../server/notifications/index.ts';
import { clearCaches } from '../../../server/platform/write/publish.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount } from '../../../server/relationships/follow/index.ts';
import { blockAccount, blockDomain, muteAccount, unmuteAccount } from '../../../server/relationships/hide/index.ts';
import { loadAccountRelations, loadFollowedIds, type Relations } from '../../../server/relationships/rules/index.ts';
import * as rules from '../../../server/relationships/rules/relation-rules.ts';
import { listingFacts, loadViewerContext } from '../../../server/statuses/read/filter-visible-statuses.ts';
import { loadCachedStatuses } from '../../../server/statuses/read/index.ts';
import { canSee, isShown, type ListingFacts } from '../../../server/statuses/visibility/index.ts';
import { postStatus } from '../../../server/statuses/post/index.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import type { Visibility } from '../../../server/statuses/index.ts';
import {
  canSeeSql,
  isInFollowerAudienceSql,
  isMentionedSql,
} from '../../../server/statuses/visibility/visibility-sql.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

// For every relation of a viewer to an author and every visibility, with and without a mention, the rules in
// TypeScript, the rules as SQL conditions, and the responses of the API must agree.

const visibilities: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct'];
const localVisibilities: readonly Visibility[] = ['local_public', 'local_unlisted', 'local_private'];
const hour = 3_600;

interface Pair {
  readonly server: TestServer;
  readonly viewer: AccountId;
  readonly author: AccountId;
}

const follow = async ({ server, viewer, author }: Pair) => {
  if ((await followAccount(server.app, viewer, author)) === 'requested')
    await acceptFollowRequest(server.app, author, viewer);
};
const followBack = async ({ server, viewer, author }: Pair) => {
  await followAccount(server.app, author, viewer, { uri: `https://remote.test/follows/${author}` });
};
const block = ({ server, viewer, author }: Pair) => blockAccount(server.app, viewer, author);
const blockBack = ({ server, viewer, author }: Pair) => blockAccount(server.app, author, viewer);
const mute = ({ server, viewer, author }: Pair) => muteAccount(server.app, viewer, author);
const muteBriefly = ({ server, viewer, author }: Pair) =>
  muteAccount(server.app, viewer, author, { duration: hour, notifications: true });
const muteLong = ({ server, viewer, author }: Pair) =>
  muteAccount(server.app, viewer, author, { duration: 100 * hour });
const muteFeeds = ({ server, viewer, author }: Pair) =>
  muteAccount(server.app, viewer, author, { notifications: false });
const hideDomain = async ({ server, viewer, author }: Pair) => {
  const domain = (await loadCachedAccounts(server.app, [author])).get(author)?.domain ?? '';
  await blockDomain(server.app, viewer, domain);
};
const updateAuthor =
  (values: object) =>
  async ({ server, author }: Pair) => {
    await server.db.updateTable('accounts').set(values).where('id', '=', author).execute();
  };
const silence = updateAuthor({ silenced_at: new Date() });
const suspend = updateAuthor({ suspended_at: new Date() });

interface Scene {
  /** The author is local instead of remote. */
  readonly local?: true;
  /** Steps before and after the author posts. */
  readonly before?: readonly ((pair: Pair) => Promise<unknown>)[];
  readonly after?: readonly ((pair: Pair) => Promise<unknown>)[];
}

const scenes: Record<string, Scene> = {
  none: {},
  'none, local author': { local: true },
  follows: { before: [follow] },
  'follows a local author': { local: true, before: [follow] },
  'requested to follow': { before: [({ server, viewer, author }) => followAccount(server.app, viewer, author)] },
  followed: { before: [followBack] },
  mutual: { before: [follow, followBack] },
  blocks: { after: [block] },
  'blocks a local author': { local: true, after: [block] },
  'follows, then blocks': { before: [follow], after: [block] },
  'blocked by': { after: [blockBack] },
  'follower blocked by': { before: [follow], after: [blockBack] },
  'mutual block': { after: [block, blockBack] },
  mutes: { after: [mute] },
  'follows and mutes': { before: [follow], after: [mute] },
  'mute expired': { after: [muteBriefly] },
  'follows, mute expired': { before: [follow], after: [muteBriefly] },
  'mute with a duration': { after: [muteLong] },
  'mute undone': { after: [mute, ({ server, viewer, author }) => unmuteAccount(server.app, viewer, author)] },
  'mutes without notifications': { after: [muteFeeds] },
  'blocks and mutes': { after: [block, mute] },
  'blocks the domain': { after: [hideDomain] },
  'follows, then blocks the domain': { before: [follow], after: [hideDomain] },
  'mutes and blocks the domain': { after: [mute, hideDomain] },
  'author suspended': { after: [suspend] },
  'follows, author suspended': { before: [follow], after: [suspend] },
  'author silenced': { after: [silence] },
  'follows, author silenced': { before: [follow], after: [silence] },
  'author deleted': { after: [updateAuthor({ deleted_at: new Date() })] },
  'author not activated': { after: [updateAuthor({ activated: false })] },
};

/** One status and one viewer of it. */
interface ViewerCase {
  readonly label: string;
  readonly reader: Pick<TestUser, 'get'>;
  readonly viewerId: AccountId | undefined;
  readonly authorId: AccountId;
  readonly statusId: StatusId;
}

async function storeAuthor(server: TestServer, name: string): Promise<AccountId> {
  const domain = `${name}.test`;
  const uri = `https://${domain}/users/${name}`;
  return transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: name, domain, inboxUrl: `${uri}/inbox` }),
  );
}

async function storePosts(
  server: TestServer,
  author: { readonly id: AccountId; readonly local: boolean },
  viewer: TestUser,
): Promise<{ readonly name: string; readonly id: StatusId }[]> {
  const posts: { name: string; id: StatusId }[] = [];
  for (const visibility of author.local ? [...visibilities, ...localVisibilities] : visibilities) {
    for (const isMentioned of [false, true]) {
      const name = `${visibility}${isMentioned ? ', mentioned' : ''}`;
      server.clock.advance(1);
      const text = isMentioned ? `hello @${viewer.username}` : 'hello';
      const id = author.local
        ? await postStatus(server.app, author.id, { text, visibility })
        : await storeRemoteStatus(server.app, {
            uri: `https://remote.test/posts/${author.id}/${posts.length}`,
            accountId: author.id,
            content: '<p>hello</p>',
            visibility,
            mentions: isMentioned ? [{ accountId: viewer.id }] : [],
            publishedAt: server.clock.now(),
          });
      if (id === undefined) throw new Error(`${name} is not stored`);
      posts.push({ name, id });
    }
  }
  return posts;
}

/**
 * Stores every scene, and lists each of its statuses with its viewer. Scenes without a relation are also listed for
 * anonymous viewers.
 */
async function storeScenes(server: TestServer): Promise<ViewerCase[]> {
  const viewerCases: ViewerCase[] = [];
  const later: (() => Promise<unknown>)[] = [];
  for (const [index, [name, { local = false, before = [], after = [] }]] of Object.entries(scenes).entries()) {
    const viewer = await server.user(`viewer${index}`);
    const authorId = local ? (await server.user(`author${index}`)).id : await storeAuthor(server, `author${index}`);
    const pair: Pair = { server, viewer: viewer.id, author: authorId };
    for (const step of before) await step(pair);
    for (const post of await storePosts(server, { id: authorId, local }, viewer)) {
      const viewerCase = { authorId, statusId: post.id };
      viewerCases.push({ ...viewerCase, label: `${name}: ${post.name}`, reader: viewer, viewerId: viewer.id });
      if (!/^(none|author)/u.test(name)) continue;
      const label = `anonymous, ${name}: ${post.name}`;
      viewerCases.push({ ...viewerCase, label, reader: server.anonymous, viewerId: undefined });
    }
    for (const step of after) later.push(() => step(pair));
  }
  const self = await server.user('self');
  for (const post of await storePosts(server, { id: self.id, local: true }, self)) {
    const viewerCase = { authorId: self.id, statusId: post.id, reader: self, viewerId: self.id };
    viewerCases.push({ ...viewerCase, label: `the author: ${post.name}` });
  }
  await server.drain();
  for (const step of later) await step();
  await server.drain();
  // The mutes with a duration of an hour have expired, and the job that deletes them has not run.
  server.clock.advance(2 * hour);
  clearCaches(server.app);
  server.expectUndelivered(/\.test$/u);
  return viewerCases;
}

interface Decisions {
  readonly canSee: boolean;
  readonly isMentioned: boolean;
  readonly isInFollowerAudience: boolean;
  readonly follows: boolean;
  readonly blocks: boolean;
  readonly isBlockedBy: boolean;
  readonly mutes: boolean;
  readonly mutesNotifications: boolean;
  readonly blocksDomain: boolean;
  readonly isUnwanted: boolean;
  readonly isHidden: boolean;
  readonly isBlockedEitherWay: boolean;
  readonly hidesNotifications: boolean;
}

const noRelations: Relations = {
  blocking: new Set(),
  blockedBy: new Set(),
  muting: new Set(),
  mutingNotifications: new Set(),
  blockedDomains: new Set(),
};

/** Decides by the TypeScript functions. */
async function decideByFunctions(
  { app }: TestServer,
  { viewerId, authorId, statusId }: ViewerCase,
  facts: ListingFacts,
) {
  const relations = viewerId === undefined ? noRelations : await loadAccountRelations(app, viewerId);
  const followed = viewerId === undefined ? new Set() : await loadFollowedIds(app, viewerId);
  const row = await app.db
    .selectFrom('accounts')
    .select(['id', 'domain'])
    .where('id', '=', authorId)
    .executeTakeFirstOrThrow();
  const decisions: Decisions = {
    canSee: canSee(facts),
    isMentioned: facts.isMentioned,
    isInFollowerAudience: canSee({
      ...facts,
      authorUnavailable: false,
      blockedByAuthor: false,
      isOfThisServer: true,
      isFollower: true,
    }),
    follows: followed.has(authorId),
    blocks: relations.blocking.has(authorId),
    isBlockedBy: relations.blockedBy.has(authorId),
    mutes: relations.muting.has(authorId),
    mutesNotifications: relations.mutingNotifications.has(authorId),
    blocksDomain: rules.blocksDomain(relations, row.domain),
    isUnwanted: rules.isUnwanted(relations, authorId),
    isHidden: rules.isHidden(relations, row),
    isBlockedEitherWay: rules.isBlockedEitherWay(relations, authorId),
    hidesNotifications: rules.hidesNotifications(relations, row),
  };
  expect(rules.listHiddenIds(relations).includes(authorId), statusId).toBe(
    decisions.isBlockedEitherWay || decisions.mutes,
  );
  return decisions;
}

/** Decides by the SQL conditions, all cases in one statement. With `isAny`, the author is an element of an array. */
async function decideBySql(
  { app }: TestServer,
  viewerCases: readonly ViewerCase[],
  isAny: boolean,
): Promise<Decisions[]> {
  const now = app.clock.now();
  const viewer = sql`viewer_case.viewer_id`;
  const author = sql`s.account_id`;
  const target = isAny ? sql`any(array[0::bigint, s.account_id])` : author;
  const { rows } = await sql<Decisions>`
    select
      ${canSeeSql(viewer)} as "canSee",
      ${isMentionedSql(viewer)} as "isMentioned",
      (s.account_id = viewer_id) is true or ${isInFollowerAudienceSql(viewer)} as "isInFollowerAudience",
      ${rules.followsSql(viewer, target)} as "follows",
      ${rules.blocksSql(viewer, target)} as "blocks",
      ${rules.blocksSql(author, viewer)} as "isBlockedBy",
      ${rules.mutesSql(viewer, target, now)} as "mutes",
      ${rules.mutesNotificationsSql(viewer, target, now)} as "mutesNotifications",
      ${isAny ? rules.blocksDomainOfSql(viewer, target) : rules.blocksDomainSql(viewer, sql`a.domain`)} as "blocksDomain",
      ${rules.isUnwantedSql(viewer, target, now)} as "isUnwanted",
      ${rules.isHiddenSql(viewer, target, now)} as "isHidden",
      ${rules.isBlockedEitherWaySql(viewer, author)} as "isBlockedEitherWay",
      ${rules.hidesNotificationsSql(viewer, { id: author, domain: sql`a.domain` }, now)} as "hidesNotifications"
    from unnest(
        ${viewerCases.map(({ viewerId }) => viewerId ?? null)}::bigint[],
        ${viewerCases.map(({ statusId }) => statusId)}::bigint[]) with ordinality as viewer_case(viewer_id, status_id, position)
      join statuses s on s.id = viewer_case.status_id join accounts a on a.id = s.account_id
    order by viewer_case.position`.execute(app.db);
  return rows;
}

async function loadFacts({ app }: TestServer, { viewerId, statusId }: ViewerCase): Promise<ListingFacts> {
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined) throw new Error('the status is not stored');
  return listingFacts(status, await loadViewerContext(app, viewerId, [status]));
}

const idsOf = (list: readonly { readonly id: string }[]): Set<string> => new Set(list.map(({ id }) => id));

test('functions, SQL conditions and API agree for every relation and visibility', async () => {
  await using server = await startServer();
  const viewerCases = await storeScenes(server);
  const [one, any] = [await decideBySql(server, viewerCases, false), await decideBySql(server, viewerCases, true)];
  for (const [index, viewerCase] of viewerCases.entries()) {
    const facts = await loadFacts(server, viewerCase);
    const expected = { label: viewerCase.label, ...(await decideByFunctions(server, viewerCase, facts)) };
    expect({ label: viewerCase.label, ...one[index] }).toEqual(expected);
    expect({ label: viewerCase.label, ...any[index] }).toEqual(expected);

    const { reader, statusId } = viewerCase;
    const { status } = await reader.get(`/api/v1/statuses/${statusId}`);
    expect({ label: viewerCase.label, status }).toEqual({
      label: viewerCase.label,
      status: expected.canSee ? 200 : 404,
    });
  }
  expect(viewerCases.length).toBeGreaterThan(Object.keys(scenes).length * visibilities.length * 2);
});

test('timelines, profiles and notifications follow the rules for every relation and visibility', async () => {
  await using server = await startServer();
  const { app } = server;
  const viewerCases = await storeScenes(server);
  await server.db.deleteFrom('notifications').execute();
  for (const { viewerId, authorId, statusId } of viewerCases) {
    if (viewerId === undefined) continue;
    await notify(app, { type: 'mention', fromAccountId: authorId, statusId, recipients: [viewerId] });
  }
  const byReader = Map.groupBy(viewerCases, ({ reader }) => reader);
  for (const [reader, casesOfReader] of byReader) {
    const viewerId = casesOfReader[0]?.viewerId;
    const signedIn = viewerId !== undefined;
    const inPublic = idsOf(await walk(reader as TestUser, '/api/v1/timelines/public?limit=40'));
    const inHome = signedIn ? idsOf(await walk(reader as TestUser, '/api/v1/timelines/home?limit=40')) : undefined;
    const notified = signedIn
      ? new Set(
          (await walk(reader as TestUser, '/api/v1/notifications?include_filtered=true')).map(
            (item) => (item as unknown as { status: { id: string } }).status.id,
          ),
        )
      : undefined;
    for (const viewerCase of casesOfReader) {
      const { label, authorId, statusId } = viewerCase;
      const facts = await loadFacts(server, viewerCase);
      const decisions = await decideByFunctions(server, viewerCase, facts);
      const isFeedAuthor = facts.isFollower || facts.isAuthor;
      const response = await reader.get(`/api/v1/accounts/${authorId}/statuses?limit=40`);
      const profile = idsOf(response.status === 200 ? response.json : []);
      expect({
        label,
        public: inPublic.has(statusId),
        profile: profile.has(statusId),
        ...(inHome && { home: inHome.has(statusId) }),
        ...(notified && { notified: notified.has(statusId) }),
      }).toEqual({
        label,
        public: isShown(facts, 'public'),
        profile: canSee(facts),
        ...(inHome && { home: isShown(facts, 'home') && isFeedAuthor }),
        ...(notified && {
          notified: !facts.isAuthor && isShown(facts, 'notifications') && !decisions.hidesNotifications,
        }),
      });
    }
  }
});
