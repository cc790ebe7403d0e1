import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatusId } from '../../../server/platform/ids.ts';
import { postStatus } from '../../../server/statuses/post/index.ts';
import { newStatuses } from '../../../server/statuses/read/new-statuses.ts';
import { statusCache } from '../../../server/statuses/read/status-cache.ts';
import { failStatements, recordStatements } from '../../record-statements.ts';
import { startServer, type TestUser } from '../../server.ts';

const selectsStatuses = (text: string): boolean => /from "statuses" as "status"/.test(text);

async function post(user: TestUser, body: object): Promise<StatusId> {
  return (await user.post('/api/v1/statuses', body)).json.id;
}

test('a new status is cached as it would be loaded', async () => {
  await using server = await startServer();
  const { app } = server;
  const alice = await server.user('alice');
  const parent = await post(alice, { status: 'The first one' });
  const text = fc.constantFrom(
    'Plain',
    'A < b & "c"',
    '👋 two\nlines',
    'See https://example.org/',
    '#tag',
    '@alice hi',
  );
  const body = fc.record(
    {
      status: text,
      spoiler_text: fc.constantFrom('', 'Careful'),
      sensitive: fc.boolean(),
      language: fc.constantFrom('en', 'de'),
      visibility: fc.constantFrom('public', 'unlisted', 'private', 'direct'),
      in_reply_to_id: fc.constant(parent),
    },
    { requiredKeys: ['status'] },
  );
  await fc.assert(
    fc.asyncProperty(body, async (input) => {
      const id = await post(alice, input);
      const cached = (await statusCache.getMany(app, [id])).get(id);
      statusCache.evict(app, id);
      newStatuses.evict(app, id);
      const loaded = (await statusCache.getMany(app, [id])).get(id);
      expect(cached).toEqual(loaded);
    }),
    { numRuns: 60 },
  );
});

test('a plain status is presented without loading it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await post(alice, { status: 'Hello' });
  const sent = await recordStatements(() => post(alice, { status: 'Again' }));
  expect(sent.filter(({ text }) => selectsStatuses(text))).toEqual([]);
});

test('a status that was not stored is not cached', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await post(alice, { status: 'Hello' });
  newStatuses.clear(server.app);
  using _failure = failStatements('23505', (text) => text.startsWith('insert into jobs'));
  await expect(postStatus(server.app, alice.id, { text: 'Lost' })).rejects.toMatchObject({ code: '23505' });
  expect(newStatuses.size(server.app)).toBe(0);
});
