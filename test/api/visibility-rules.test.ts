import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadCachedAccounts } from '../../server/accounts/present/index.ts';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { notify } from '../../server/notifications/index.ts';
import { clearCaches } from '../../server/platform/caching/define-cache.ts';
import { transaction } from '../../server/platform/database/transaction.ts';
import type { AccountId, StatusId } from '../../server/platform/ids.ts';
import {
  acceptFollowRequest,
  blockAccount,
  blockDomain,
  followAccount,
  loadAccountRelations,
  loadFollowedIds,
  muteAccount,
  unmuteAccount,
  type Relations,
} from '../../server/relationships/index.ts';
import * as rules from '../../server/relationships/rules/relation-rules.ts';
import { listingFacts, loadViewerContext } from '../../server/statuses/read/filter-visible-statuses.ts';
import {
  canSee,
  isShown,
  loadCachedStatuses,
  postStatus,
  storeRemoteStatus,
  type ListingFacts,
  type Visibility,
} from '../../server/statuses/index.ts';
import { canSeeSql, isInFollowerAudienceSql, isMentionedSql } from '../../server/statuses/read/visibility-sql.ts';
import { startServer, walk, type TestServer, type TestUser } from '../server.ts';

// Every relation of a viewer to an author, with every visibility, mentioned and not: the rules in TypeScript, the same
// rules as SQL conditions, and what the API shows must agree.

const visibilities: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct'];
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
  /** A local author; the others are remote. */
  readonly local?: true;
  /** Before and after the author posts. */
  readonly before?: readonly ((pair: Pair) => Promise<unknown>)[];
  readonly after?: readonly ((pair: Pair) => Promise<unknown>)[];
}

const scenes: Record<string, Scene> = {
  none: {},
  'none, local author': { local: true },
  follows: { before: [follow] },
  'follows a local author': { local: true, before: [follow] },
  'asked to follow': { before: [({ server, viewer, author }) => followAccount(server.app, viewer, author)] },
  followed: { before: [followBack] },
  mutual: { before: [follow, followBack] },
  blocks: { after: [block] },
  'blocks a local author': { local: true, after: [block] },
  'followed, then blocks': { before: [follow], after: [block] },
  'blocked by': { after: [blockBack] },
  'follower blocked by': { before: [follow], after: [blockBack] },
  'block both ways': { after: [block, blockBack] },
  mutes: { after: [mute] },
  'follows and mutes': { before: [follow], after: [mute] },
  'mute ended': { after: [muteBriefly] },
  'follows, mute ended': { before: [follow], after: [muteBriefly] },
  'mute with an end': { after: [muteLong] },
  'mute undone': { after: [mute, ({ server, viewer, author }) => unmuteAccount(server.app, viewer, author)] },
  'mutes without notifications': { after: [muteFeeds] },
  'blocks and mutes': { after: [block, mute] },
  'blocks the domain': { after: [hideDomain] },
  'followed, then blocks the domain': { before: [follow], after: [hideDomain] },
  'mutes and blocks the domain': { after: [mute, hideDomain] },
  'author suspended': { after: [suspend] },
  'follows, author suspended': { before: [follow], after: [suspend] },
  'author silenced': { after: [silence] },
  'follows, author silenced': { before: [follow], after: [silence] },
  'author deleted': { after: [updateAuthor({ deleted_at: new Date() })] },
  'author not activated': { after: [updateAuthor({ activated: false })] },
};

/** One status as one viewer meets it. */
interface Meeting {
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
  for (const visibility of visibilities) {
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

/** Stores every scene, and lists each of its statuses with the viewer; strangers' posts also for anonymous viewers. */
async function storeScenes(server: TestServer): Promise<Meeting[]> {
  const meetings: Meeting[] = [];
  const later: (() => Promise<unknown>)[] = [];
  for (const [index, [name, { local = false, before = [], after = [] }]] of Object.entries(scenes).entries()) {
    const viewer = await server.user(`viewer${index}`);
    const authorId = local ? (await server.user(`author${index}`)).id : await storeAuthor(server, `author${index}`);
    const pair: Pair = { server, viewer: viewer.id, author: authorId };
    for (const step of before) await step(pair);
    for (const post of await storePosts(server, { id: authorId, local }, viewer)) {
      const meeting = { authorId, statusId: post.id };
      meetings.push({ ...meeting, label: `${name}: ${post.name}`, reader: viewer, viewerId: viewer.id });
      if (!/^(none|author)/u.test(name)) continue;
      const label = `anonymous, ${name}: ${post.name}`;
      meetings.push({ ...meeting, label, reader: server.anonymous, viewerId: undefined });
    }
    for (const step of after) later.push(() => step(pair));
  }
  const self = await server.user('self');
  for (const post of await storePosts(server, { id: self.id, local: true }, self)) {
    const meeting = { authorId: self.id, statusId: post.id, reader: self, viewerId: self.id };
    meetings.push({ ...meeting, label: `the author: ${post.name}` });
  }
  await server.drain();
  for (const step of later) await step();
  await server.drain();
  // The mutes that end have ended; the job that deletes them has not run.
  server.clock.advance(2 * hour);
  clearCaches(server.app);
  server.expectUndelivered(/\.test$/u);
  return meetings;
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

/** Decides by the functions. */
async function decideByFunctions({ app }: TestServer, { viewerId, authorId, statusId }: Meeting, facts: ListingFacts) {
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
    isInFollowerAudience: canSee({ ...facts, authorUnavailable: false, blockedByAuthor: false, isFollower: true }),
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

/** Decides by the SQL conditions, all meetings in one statement. `isAny`: the author is one of an array. */
async function decideBySql({ app }: TestServer, meetings: readonly Meeting[], isAny: boolean): Promise<Decisions[]> {
  const now = app.clock.now();
  const viewer = sql`meeting.viewer_id`;
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
        ${meetings.map(({ viewerId }) => viewerId ?? null)}::bigint[],
        ${meetings.map(({ statusId }) => statusId)}::bigint[]) with ordinality as meeting(viewer_id, status_id, place)
      join statuses s on s.id = meeting.status_id join accounts a on a.id = s.account_id
    order by meeting.place`.execute(app.db);
  return rows;
}

async function loadFacts({ app }: TestServer, { viewerId, statusId }: Meeting): Promise<ListingFacts> {
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined) throw new Error('the status is not stored');
  return listingFacts(status, await loadViewerContext(app, viewerId, [status]));
}

const idsOf = (list: readonly { readonly id: string }[]): Set<string> => new Set(list.map(({ id }) => id));

test('for every relation and visibility the functions, the SQL conditions and the API decide the same', async () => {
  await using server = await startServer();
  const meetings = await storeScenes(server);
  const [one, any] = [await decideBySql(server, meetings, false), await decideBySql(server, meetings, true)];
  for (const [index, meeting] of meetings.entries()) {
    const facts = await loadFacts(server, meeting);
    const expected = { label: meeting.label, ...(await decideByFunctions(server, meeting, facts)) };
    expect({ label: meeting.label, ...one[index] }).toEqual(expected);
    expect({ label: meeting.label, ...any[index] }).toEqual(expected);

    const { reader, statusId } = meeting;
    const { status } = await reader.get(`/api/v1/statuses/${statusId}`);
    expect({ label: meeting.label, status }).toEqual({ label: meeting.label, status: expected.canSee ? 200 : 404 });
  }
  expect(meetings.length).toBeGreaterThan(Object.keys(scenes).length * visibilities.length * 2);
});

test('for every relation and visibility the timelines, profiles and notifications show what the rules say', async () => {
  await using server = await startServer();
  const { app } = server;
  const meetings = await storeScenes(server);
  await server.db.deleteFrom('notifications').execute();
  for (const { viewerId, authorId, statusId } of meetings) {
    if (viewerId === undefined) continue;
    await notify(app, { type: 'mention', fromAccountId: authorId, statusId, recipients: [viewerId] });
  }
  const byReader = Map.groupBy(meetings, ({ reader }) => reader);
  for (const [reader, ofReader] of byReader) {
    const viewerId = ofReader[0]?.viewerId;
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
    for (const meeting of ofReader) {
      const { label, authorId, statusId } = meeting;
      const facts = await loadFacts(server, meeting);
      const decisions = await decideByFunctions(server, meeting, facts);
      const isFeedAuthor = facts.isFollower || facts.isAuthor;
      const answer = await reader.get(`/api/v1/accounts/${authorId}/statuses?limit=40`);
      const profile = idsOf(answer.status === 200 ? answer.json : []);
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
