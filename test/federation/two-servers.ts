import { resolveAccount, resolveStatus } from '../../server/federation/index.ts';
import type { AccountId, StatusId } from '../../server/platform/ids.ts';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';

/** Two servers that do not know each other: alice is on a.test, bob on b.test. */
export interface TwoServers extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly b: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
}

export async function twoServers(settings: { b?: Record<string, string> } = {}): Promise<TwoServers> {
  const network = new Network();
  const a = await network.start('a.test');
  const b = await network.start('b.test', settings.b === undefined ? {} : { settings: settings.b });
  return {
    network,
    a,
    b,
    alice: await a.user('alice'),
    bob: await b.user('bob'),
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

/** Returns the id of a local or remote account on a server. */
export async function resolveAccountOn(server: TestServer, acct: string): Promise<AccountId> {
  const id = await resolveAccount(server.app, acct);
  if (id === undefined) throw new Error(`${server.app.config.domain} cannot find ${acct}`);
  return id;
}

/** Returns the id of a status on a server, or undefined if it is unknown and cannot be fetched. */
export function resolveStatusOn(server: TestServer, uri: string): Promise<StatusId | undefined> {
  return resolveStatus(server.app, uri);
}

export interface StatusJson {
  readonly id: string;
  readonly uri: string;
  readonly content: string;
  readonly visibility: string;
  readonly favourites_count: number;
  readonly reblogs_count: number;
  readonly account: { readonly id: string; readonly acct: string };
  readonly reblog: StatusJson | null;
  readonly in_reply_to_id: string | null;
  readonly mentions: readonly { readonly acct: string }[];
}

export async function postStatus(user: TestUser, body: Record<string, unknown>): Promise<StatusJson> {
  const response = await user.post('/api/v1/statuses', body);
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return response.json as StatusJson;
}

export async function homeTimeline(user: TestUser): Promise<StatusJson[]> {
  return (await user.get('/api/v1/timelines/home')).json as StatusJson[];
}

export async function getRelationship(viewer: TestUser, id: string): Promise<Record<string, unknown>> {
  const { json } = await viewer.get(`/api/v1/accounts/relationships?id[]=${id}`);
  return (json as Record<string, unknown>[])[0] ?? {};
}

/** Lets `follower` of `server` follow a remote account, and waits until it is accepted. */
export async function followAcross(
  { network }: TwoServers,
  server: TestServer,
  follower: TestUser,
  acct: string,
): Promise<AccountId> {
  const id = await resolveAccountOn(server, acct);
  const response = await follower.post(`/api/v1/accounts/${id}/follow`);
  if (response.status !== 200) throw new Error(response.text);
  await network.drain();
  return id;
}

/** Lists all notifications, also those that the default policy filters: private mentions by strangers. */
export async function listNotifications(user: TestUser): Promise<{ type: string; account: { acct: string } }[]> {
  return (await user.get('/api/v1/notifications?include_filtered=true')).json as {
    type: string;
    account: { acct: string };
  }[];
}
