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
  readonly replies_count: number;
  readonly account: { readonly id: string; readonly username: string; readonly statuses_count: number };
}

const pageSize = 40;
const maxStatuses = 400;

/** Returns the rows for a server, whose posts and accounts it finds through the API: the same kinds on every server. */
export async function discoverRows(server: ApiServer): Promise<BesideRow[]> {
  const statuses = await listPublicStatuses(server);
  const [newest] = statuses;
  if (newest === undefined) throw new Error(`${server.origin} has no public posts`);
  const discussed = statuses.reduce((one, other) => (other.replies_count > one.replies_count ? other : one));
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
    get('context', `/api/v1/statuses/${discussed.id}/context`),
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
