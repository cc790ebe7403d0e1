import type { TestServer, TestUser } from '../server.ts';
import { accounts, expectOk, idOf, memberListing, post, statuses, type Listing } from './listing.ts';

const groups = '/api/v1/fieldfare/groups';

/** What waits for the moderators of groups, and the accounts that they banned. */
export async function groupListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const moderator = await server.user('group_moderator', { role: 'moderator' });
  const create = async (username: string, more: object = {}) =>
    (await expectOk(moderator.post(groups, { username, ...more }))).json.id as string;
  const [closed, strict, moderated] = [
    await create('closed_group', { locked: true }),
    await create('strict_group'),
    await create('moderated_group', { moderated: true }),
  ];
  const member = await server.user('group_member');
  await expectOk(member.post(`${accounts}/${moderated}/follow`));
  const crowdListing = (
    route: string,
    facts: Pick<Parameters<typeof memberListing<TestUser>>[1], 'url' | 'join' | 'leave'>,
  ) => memberListing(route, { as: moderator, members: crowd, nameOf: idOf, ...facts });
  return [
    crowdListing('/api/v1/fieldfare/groups/:id/follow_requests', {
      url: `${groups}/${closed}/follow_requests`,
      join: (user) => expectOk(user.post(`${accounts}/${closed}/follow`)),
      leave: (user) => expectOk(user.post(`${accounts}/${closed}/unfollow`)),
    }),
    crowdListing('/api/v1/fieldfare/groups/:id/bans', {
      url: `${groups}/${strict}/bans`,
      join: ({ id }) => expectOk(moderator.post(`${groups}/${strict}/bans`, { account_id: id })),
      leave: ({ id }) => expectOk(moderator.delete(`${groups}/${strict}/bans/${id}`)),
    }),
    {
      route: '/api/v1/fieldfare/groups/:id/waiting_posts',
      url: `${groups}/${moderated}/waiting_posts`,
      client: moderator,
      keyOf: idOf,
      async add() {
        const id = await post(member, 'For @moderated_group');
        await server.drain();
        return id;
      },
      remove: (id) => expectOk(member.delete(`${statuses}/${id}`)),
    },
  ];
}
