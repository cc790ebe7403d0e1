import type { TestServer, TestUser } from '../server.ts';
import { expectOk, idOf, memberListing, post, statuses, type Listing } from './listing.ts';

/** Notifications and conversations of users. */
export async function inboxListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const [author, reader, recipient, grouped] = [
    await server.user('inbox_author'),
    await server.user('inbox_reader'),
    await server.user('recipient'),
    await server.user('grouped'),
  ];
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
      add: () => post(nextMember(), `@inbox_reader ${(count += 1)}`, { visibility: 'direct' }),
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
/** Favourites that wait for the author of a post. */
async function interactionRequestListing(server: TestServer, crowd: readonly TestUser[]): Promise<Listing> {
  const asked = await server.user('asked');
  const policy = { can_favourite: { manual_approval: ['public'] } };
  const id = await post(asked, 'Ask me', { visibility: 'unlisted', interaction_policy: policy });
  return memberListing('/api/v1/interaction_requests', {
    as: asked,
    members: crowd,
    nameOf: idOf,
    keyOf: (item) => item.account.id,
    join: (user) => expectOk(user.post(`${statuses}/${id}/favourite`)),
    leave: (user) => expectOk(user.post(`${statuses}/${id}/unfavourite`)),
  });
}

export async function requestListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
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
    await interactionRequestListing(server, crowd),
  ];
}
