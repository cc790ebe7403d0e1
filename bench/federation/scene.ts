import type { App } from '../../server/platform/app.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount } from '../../server/relationships/follow/index.ts';
import { userCreator, type BenchmarkUser } from '../scene.ts';
import { sendLoad } from '../send-load.ts';
import type { Network } from './network.ts';
import { actorUri, createActivity, followActivity, type Parent } from './peers.ts';
import { preSign } from './pre-signed.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

export interface SceneSize {
  /** Hosts of the followers; as many others have the authors. */
  readonly hosts: number;
  readonly followers: number;
  readonly authors: number;
}

/** Local and remote accounts that send each other activities. */
export interface FederationScene {
  readonly app: App;
  readonly network: Network;
  readonly origin: string;
  /** Follows the authors; nobody follows it. */
  readonly reader: LocalAuthor;
  /** Has remote followers, each with an inbox of its own. */
  readonly popular: LocalAuthor;
  /** URIs of remote accounts. */
  readonly authors: readonly string[];
  readonly size: SceneSize;
}

/** A local account with a public post. */
export interface LocalAuthor extends BenchmarkUser {
  readonly post: Parent;
}

/** Creates the accounts by activities, as other servers would. */
export async function createScene(
  app: App,
  { network, origin, size }: Pick<FederationScene, 'network' | 'origin' | 'size'>,
): Promise<FederationScene> {
  const name = `fed${Date.now().toString(36)}`;
  const create = await userCreator(app);
  const createLocal = async (role: string): Promise<LocalAuthor> => {
    const user = await create(`${name}_${role}`);
    return { ...user, post: await postAs(origin, user.token) };
  };
  const [reader, popular] = [await createLocal('reader'), await createLocal('popular')];
  const remote = (count: number, firstHost: number, role: string): string[] =>
    Array.from({ length: count }, (_, at) =>
      actorUri(network.port, firstHost + (at % size.hosts), `${name}${role}${at}`),
    );
  const authors = remote(size.authors, size.hosts, 'a');
  const scene = { app, network, origin, reader, popular, authors, size };
  await send(
    scene,
    authors.map((actor) => createActivity({ actor, name: 'first', parent: reader.post })),
  );
  for (const id of await findIds(app, authors)) {
    await followAccount(app, reader.accountId, id);
    await acceptFollowRequest(app, id, reader.accountId);
  }
  const followers = remote(size.followers, 0, 'f');
  await send(
    scene,
    followers.map((actor) => followActivity(actor, popular.post.author)),
  );
  const { count } = await app.db
    .selectFrom('follows')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('target_account_id', '=', popular.accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) !== followers.length) throw new Error(`${count} of ${followers.length} accounts follow`);
  return scene;
}

/** Posts as a user. Returns what replies to the post need. */
export async function postAs(origin: string, token: string): Promise<Parent> {
  const answer = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'Has anybody seen the swifts this year?', language: 'en' }),
  });
  if (answer.status !== 200) throw new Error(`posting answered ${answer.status}: ${await answer.text()}`);
  const { uri, account } = (await answer.json()) as { uri: string; account: { acct: string } };
  return { uri, author: uri.replace(/\/statuses\/.*/, ''), acct: `${account.acct}@${new URL(uri).host}` };
}

async function send(scene: FederationScene, activities: readonly Record<string, unknown>[]): Promise<void> {
  const { app, network, origin } = scene;
  const requests = await preSign(network, app.config.baseUrl, activities);
  const plan = { origin, requests, count: requests.length, tokens: [], connections: 16, seconds: 300 };
  const { failures, count } = await sendLoad(plan);
  if (failures > 0 || count < requests.length) throw new Error(`${failures} of ${count} activities were not accepted`);
  await waitUntilIdle(app);
}

async function findIds(app: App, uris: readonly string[]): Promise<AccountId[]> {
  const rows = await app.db.selectFrom('accounts').select('id').where('uri', 'in', uris).execute();
  if (rows.length !== uris.length) throw new Error(`${rows.length} of ${uris.length} accounts are stored`);
  return rows.map(({ id }) => id);
}
