import { newId } from '../server/platform/ids.ts';
import type { LoadRequest } from './load.ts';
import type { BenchmarkUser, Scene } from './scene.ts';
import { buildWriteCases } from './write-cases.ts';

/** The two that are compared. */
export const homeCase = 'home timeline, 20';
export const bareCase = 'bare Fastify, one query, 30 KB';
/** The smallest response of the framework: no request can cost less. */
export const floorCase = 'bare Fastify, hello';
/** What Node, the framework and the database cost without this server, and the paths of the bare server. */
export const floors: readonly (readonly [name: string, path: string])[] = [
  ['bare node:http, hello', '/node'],
  [floorCase, '/hello'],
  ['bare Fastify, one row', '/row'],
];
const bareCases = new Set([bareCase, ...floors.map(([name]) => name)]);
/** Whether a case measures something else than this server. */
export const isBare = (name: string): boolean => bareCases.has(name);

/** One line of the table. */
export interface BenchmarkCase {
  readonly name: string;
  /** Whose tokens are used by turns; none: anonymous requests. */
  readonly users: readonly BenchmarkUser[];
  readonly requests: readonly LoadRequest[];
  /** Connections of the load, if not as many as for the others. */
  readonly connections?: number;
  /** CPU in milliseconds that a request may cost, server and PostgreSQL together. */
  readonly targetMs: number | undefined;
  /** Requests for a measurement, as a share of those asked for: writes cost more time. */
  readonly share: number;
}

/** The requests that are measured. */
export function buildCases(scene: Scene): BenchmarkCase[] {
  const { readers, accountId, threadId, statusIds } = scene;
  const get = (path: string): LoadRequest[] => [{ method: 'GET', path }];
  const read = { users: readers, share: 1 };
  return [
    {
      name: homeCase,
      requests: get('/api/v1/timelines/home?limit=20'),
      targetMs: 0.4,
      ...read,
    },
    {
      name: 'home timeline, 40',
      requests: get('/api/v1/timelines/home?limit=40'),
      targetMs: 0.6,
      ...read,
    },
    {
      name: 'public timeline, 20',
      requests: get('/api/v1/timelines/public?limit=20'),
      targetMs: 0.4,
      ...read,
    },
    {
      name: 'account statuses, 20',
      requests: get(`/api/v1/accounts/${accountId}/statuses?limit=20`),
      targetMs: 0.4,
      ...read,
    },
    {
      name: 'one status',
      requests: statusIds.slice(0, 500).flatMap((id) => get(`/api/v1/statuses/${id}`)),
      targetMs: 0.06,
      users: readers,
      share: 2,
    },
    {
      name: 'context of 60',
      requests: get(`/api/v1/statuses/${threadId}/context`),
      targetMs: 0.7,
      ...read,
    },
    {
      name: 'notifications, 20',
      requests: get('/api/v1/notifications?limit=20'),
      targetMs: 0.5,
      ...read,
    },
    {
      name: 'grouped notifications, 40',
      requests: get('/api/v2/notifications?limit=40'),
      targetMs: 0.8,
      ...read,
    },
    {
      name: 'verify_credentials',
      requests: get('/api/v1/accounts/verify_credentials'),
      targetMs: 0.05,
      users: readers,
      share: 2,
    },
    {
      name: 'instance v2',
      requests: get('/api/v2/instance'),
      targetMs: 0.05,
      users: [],
      share: 2,
    },
    ...hardCases(scene),
    ...searchCases(scene),
    ...deepCases(scene),
    ...buildWriteCases(scene),
  ];
}

/** Twice what the plain home timeline may cost an item. */
const targetMsPerItem = 0.04;

/** Reading where much is to choose from, or to leave out. */
function hardCases({ readers, heavy }: Scene): BenchmarkCase[] {
  const read = (name: string, path: string, items: number, as: readonly BenchmarkUser[] = readers): BenchmarkCase => ({
    name,
    requests: [{ method: 'GET', path }],
    targetMs: items * targetMsPerItem,
    users: as,
    share: items > 20 ? 0.1 : 1,
  });
  return [
    read('home, 1,000 mutes and 300 blocked servers', '/api/v1/timelines/home?limit=20', 20, [heavy.filteringReader]),
    read('local timeline, 20', '/api/v1/timelines/public?local=true&limit=20', 20),
    read('hashtag of 100,000 posts, 20', `/api/v1/timelines/tag/${heavy.tag}?limit=20`, 20),
    read('list of 100 members, 20', `/api/v1/timelines/list/${heavy.listId}?limit=20`, 20, [readers[0]]),
    read('context of 500', `/api/v1/statuses/${heavy.longThreadId}/context`, 500),
  ];
}

/** Words of about one seeded post in ten. */
const commonWords = ['more', 'with', 'was', 'back'];

function searchCases({ readers, names }: Scene): BenchmarkCase[] {
  const search = (name: string, paths: readonly string[], targetMs?: number): BenchmarkCase => ({
    name,
    requests: paths.map((path) => ({ method: 'GET', path })),
    targetMs,
    users: readers,
    connections: 2,
    share: 0.1,
  });
  const accountPath = (text: string): string => `/api/v1/accounts/search?limit=20&q=${encodeURIComponent(text)}`;
  return [
    search('search accounts, whole names', names.map(accountPath), 0.4),
    search(
      'search accounts, three letters',
      names.map((name) => accountPath(name.slice(0, 3))),
      0.8,
    ),
    search(
      'search posts, common words',
      commonWords.map((word) => `/api/v2/search?type=statuses&limit=20&q=${word}`),
    ),
  ];
}

const halfYearMs = 182 * 86_400_000;
const deepTargetMs = 1;

/** Pages in the middle of the seeded year. */
function deepCases({ readers, accountId }: Scene): BenchmarkCase[] {
  const maxId = newId<'status'>(new Date(Date.now() - halfYearMs));
  const paths = {
    home: '/api/v1/timelines/home',
    'account statuses': `/api/v1/accounts/${accountId}/statuses`,
    hashtag: '/api/v1/timelines/tag/birds',
  };
  return Object.entries(paths).map(([name, path]) => ({
    name: `${name}, half a year back`,
    requests: [{ method: 'GET', path: `${path}?limit=20&max_id=${maxId}` }],
    targetMs: deepTargetMs,
    users: readers,
    share: 0.5,
  }));
}
