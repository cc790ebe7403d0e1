import type { LoadRequest } from './load.ts';
import type { BenchmarkUser, Scene } from './scene.ts';

/** The two that are compared. */
export const homeCase = 'home timeline, 20';
export const bareCase = 'bare Fastify, one query, 30 KB';

/** One line of the table. */
export interface BenchmarkCase {
  readonly name: string;
  /** Whose tokens are used by turns; none: anonymous requests. */
  readonly users: readonly BenchmarkUser[];
  readonly requests: readonly LoadRequest[];
  /** CPU in milliseconds that a request may cost, server and PostgreSQL together. */
  readonly targetMs: number | undefined;
  /** What the best rival needs for the same. */
  readonly competitor: string;
  /** Requests for a measurement, as a share of those asked for: writes cost more time. */
  readonly share: number;
}

/** The requests that are measured. */
export function buildCases(scene: Scene): BenchmarkCase[] {
  const { reader, author, accountId, threadId, statusIds } = scene;
  const get = (path: string): LoadRequest[] => [{ method: 'GET', path }];
  const post = (path: string, body?: object): LoadRequest => ({
    method: 'POST',
    path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const reactions = (verb: string) => statusIds.map((id) => post(`/api/v1/statuses/${id}/${verb}`));
  const read = { users: [reader], share: 1 };
  const written = { users: [author], share: 0.25 };
  return [
    {
      name: homeCase,
      requests: get('/api/v1/timelines/home?limit=20'),
      targetMs: 0.4,
      competitor: '0.92 ms',
      ...read,
    },
    {
      name: 'home timeline, 40',
      requests: get('/api/v1/timelines/home?limit=40'),
      targetMs: 0.6,
      competitor: '1.73 ms',
      ...read,
    },
    {
      name: 'public timeline, 20',
      requests: get('/api/v1/timelines/public?limit=20'),
      targetMs: 0.4,
      competitor: '2.4 ms',
      ...read,
    },
    {
      name: 'account statuses, 20',
      requests: get(`/api/v1/accounts/${accountId}/statuses?limit=20`),
      targetMs: 0.4,
      competitor: '2.3 ms',
      ...read,
    },
    {
      name: 'one status',
      requests: statusIds.slice(0, 500).flatMap((id) => get(`/api/v1/statuses/${id}`)),
      targetMs: 0.06,
      competitor: '0.08 ms',
      users: [],
      share: 2,
    },
    {
      name: 'context of 60',
      requests: get(`/api/v1/statuses/${threadId}/context`),
      targetMs: 0.7,
      competitor: '1.6 ms',
      ...read,
    },
    {
      name: 'notifications, 20',
      requests: get('/api/v1/notifications?limit=20'),
      targetMs: 0.5,
      competitor: '2.1 ms',
      ...read,
    },
    {
      name: 'grouped notifications, 40',
      requests: get('/api/v2/notifications?limit=40'),
      targetMs: 0.8,
      competitor: '',
      ...read,
    },
    {
      name: 'verify_credentials',
      requests: get('/api/v1/accounts/verify_credentials'),
      targetMs: 0.05,
      competitor: '0.06 ms',
      users: [reader],
      share: 2,
    },
    {
      name: 'instance v2',
      requests: get('/api/v2/instance'),
      targetMs: 0.05,
      competitor: '0.19 ms',
      users: [],
      share: 2,
    },
    ...hardCases(scene),
    {
      name: 'POST status, no followers',
      requests: [
        post('/api/v1/statuses', { status: 'A short post about nothing in particular.', visibility: 'unlisted' }),
      ],
      targetMs: 2,
      competitor: '2.5 ms',
      ...written,
    },
    { name: 'favourite', requests: reactions('favourite'), targetMs: 0.8, competitor: '1.6 ms', ...written },
    { name: 'unfavourite', requests: reactions('unfavourite'), targetMs: 0.8, competitor: '1.6 ms', ...written },
  ];
}

/** Twice what the plain home timeline may cost an item. */
const targetMsPerItem = 0.04;

/** Reading where much is to choose from, or to leave out. */
function hardCases({ reader, heavy }: Scene): BenchmarkCase[] {
  const read = (name: string, path: string, items: number, as: BenchmarkUser = reader): BenchmarkCase => ({
    name,
    requests: [{ method: 'GET', path }],
    targetMs: items * targetMsPerItem,
    competitor: '',
    users: [as],
    share: items > 20 ? 0.1 : 1,
  });
  return [
    read('home, 1,000 mutes and 300 blocked servers', '/api/v1/timelines/home?limit=20', 20, heavy.filteringReader),
    read('local timeline, 20', '/api/v1/timelines/public?local=true&limit=20', 20),
    read('hashtag of 100,000 posts, 20', `/api/v1/timelines/tag/${heavy.tag}?limit=20`, 20),
    read('list of 100 members, 20', `/api/v1/timelines/list/${heavy.listId}?limit=20`, 20),
    read('context of 500', `/api/v1/statuses/${heavy.longThreadId}/context`, 500),
  ];
}
