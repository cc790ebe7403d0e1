import type { BenchmarkCase } from './cases.ts';
import type { LoadRequest } from './load.ts';
import type { Scene } from './scene.ts';

/** Posts and reactions, by all authors in turn. */
export function buildWriteCases({ authors, statusIds }: Scene): BenchmarkCase[] {
  const status = 'A short post about nothing in particular.';
  const post: LoadRequest = {
    method: 'POST',
    path: '/api/v1/statuses',
    body: JSON.stringify({ status, visibility: 'unlisted' }),
  };
  const reactions = (verb: string) =>
    statusIds.map((id): LoadRequest => ({ method: 'POST', path: `/api/v1/statuses/${id}/${verb}` }));
  const written = { users: authors, share: 0.25 };
  return [
    {
      name: 'POST status, 4 connections',
      requests: [post],
      targetMs: 2,
      connections: 4,
      ...written,
    },
    {
      name: 'POST status, 16 connections',
      requests: [post],
      targetMs: 1.2,
      connections: 16,
      ...written,
    },
    { name: 'favourite', requests: reactions('favourite'), targetMs: 0.6, ...written },
    // The same user as for the favourite: both begin with the first.
    { name: 'unfavourite', requests: reactions('unfavourite'), targetMs: 0.6, ...written },
  ];
}
