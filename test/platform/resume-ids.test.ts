import { expect, test } from 'vitest';
import { resumeIds } from '../../server/platform/database/resume-ids.ts';
import { compareIds, newId } from '../../server/platform/ids.ts';
import { startServer } from '../server.ts';

test('posts of a process whose clock is behind sort after those of earlier processes', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  server.clock.advance(30 * 86_400);
  const { id } = (await alice.post('/api/v1/statuses', { status: 'From the future' })).json as { id: string };
  expect(compareIds(newId(), id)).toBe(-1);
  await resumeIds(server.app.pool);
  expect(compareIds(newId(), id)).toBe(1);
});
