import type { LoadRequest } from '../load.ts';

/** A server with the Mastodon API, and a token of one of its users with the scopes read and write. */
export interface ApiServer {
  readonly origin: string;
  readonly token: string;
}

/** A line of the comparison. */
export interface BesideRow {
  readonly name: string;
  readonly requests: readonly LoadRequest[];
  /** Whether each request is about another post, so that no more of them make sense in a round. */
  readonly isReaction?: boolean;
}

/** The parts of a post that rows are made from. */
interface FoundStatus {
  readonly id: string;
  readonly account: { readonly id: string; readonly username: string; readonly statuses_count: number };
}

const pageSize = 40;
const maxStatuses = 400;
const repliesInThread = 60;

/**
 * Returns the rows for a server: the same kinds on every server. It finds posts and accounts through the API, and writes a
 * thread as the owner of the token.
 */
export async function discoverRows(server: ApiServer): Promise<BesideRow[]> {
  const statuses = await listPublicStatuses(server);
  const [newest] = statuses;
  if (newest === undefined) throw new Error(`${server.origin} has no public posts`);
  const threadId = await createThread(server);
  const { account: author } = statuses.reduce((one, other) =>
    other.account.statuses_count > one.account.statuses_count ? other : one,
  );
  const names = [...new Set(statuses.map(({ account }) => account.username))].slice(0, 50);
  const get = (name: string, ...paths: readonly string[]): BesideRow => ({
    name,
    requests: paths.map((path) => ({ method: 'GET', path })),
  });
  const react = (name: string): BesideRow => ({
    name,
    requests: statuses.map(({ id }) => ({ method: 'POST', path: `/api/v1/statuses/${id}/${name}` })),
    isReaction: true,
  });
  const body = JSON.stringify({ status: 'A short post about nothing in particular.', visibility: 'unlisted' });
  return [
    get('verify_credentials', '/api/v1/accounts/verify_credentials'),
    get('instance v2', '/api/v2/instance'),
    get('one status', ...statuses.map(({ id }) => `/api/v1/statuses/${id}`)),
    get('home timeline, 20', '/api/v1/timelines/home?limit=20'),
    get('home timeline, 40', '/api/v1/timelines/home?limit=40'),
    get(`context of ${repliesInThread}`, `/api/v1/statuses/${threadId}/context`),
    get('public timeline, 20', '/api/v1/timelines/public?limit=20'),
    get('account statuses, 20', `/api/v1/accounts/${author.id}/statuses?limit=20`),
    get('notifications, 20', '/api/v1/notifications?limit=20'),
    get(
      'search accounts',
      ...names.map((name) => `/api/v2/search?type=accounts&limit=20&q=${encodeURIComponent(name)}`),
    ),
    react('favourite'),
    react('unfavourite'),
    { name: 'POST status', requests: [{ method: 'POST', path: '/api/v1/statuses', body }] },
  ];
}

/** Writes a post with direct and indirect replies, each third one to the post itself. Returns its id. */
async function createThread(server: ApiServer): Promise<string> {
  const root = await post(server, { status: 'A short post about nothing in particular.' });
  let last = root;
  for (let number = 1; number <= repliesInThread; number += 1) {
    const in_reply_to_id = number % 3 === 1 ? root : last;
    last = await post(server, { status: `Answer ${number} to it, also short.`, in_reply_to_id });
  }
  return root;
}

/** Writes an unlisted post. Returns its id. */
async function post({ origin, token }: ApiServer, status: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...status, visibility: 'unlisted' }),
  });
  if (response.status !== 200) throw new Error(`${origin} answered a post with ${response.status}`);
  const { id } = (await response.json()) as { readonly id: string };
  return id;
}

async function listPublicStatuses({ origin, token }: ApiServer): Promise<FoundStatus[]> {
  const found: FoundStatus[] = [];
  let path = `/api/v1/timelines/public?limit=${pageSize}`;
  while (found.length < maxStatuses) {
    const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`${origin}${path} answered ${response.status}`);
    const page = (await response.json()) as FoundStatus[];
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined) break;
    path = `/api/v1/timelines/public?limit=${pageSize}&max_id=${last.id}`;
  }
  return found;
}
