import { expect, test } from 'vitest';
import { acceptActivity } from '../../../server/federation/inbox/accept-activity.ts';
import { StoredFetchBudget } from '../../../server/platform/outgoing/fetch-budget.ts';
import { startServer, type TestServer } from '../../server.ts';

const actorUri = 'https://far.test/users/eve';

async function activityFactory({ app }: TestServer) {
  const fetchBudgetId = await new StoredFetchBudget(app).store();
  return (key: string, body: string, undoes?: string) => ({
    key,
    undoes,
    actorUri,
    signerUri: actorUri,
    inboxAccountId: undefined,
    forwarded: false,
    body,
    fetchBudgetId,
    traceParent: null,
  });
}

const storedBodies = async ({ db }: TestServer): Promise<string[]> =>
  (await db.selectFrom('inbox_activities').select('body').orderBy('id').execute()).map(({ body }) => body);

test('FED-03: the inbox answers 503 with Retry-After when too many activities wait to be stored, and stores the others', async () => {
  await using server = await startServer();
  const activity = await activityFactory(server);
  const accepted = Array.from({ length: 2_000 }, (_, n) => acceptActivity(server.app, activity(`key ${n}`, `"${n}"`)));
  await expect(acceptActivity(server.app, activity('one too many', '{}'))).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '30' },
  });
  await Promise.all(accepted);
  expect(await storedBodies(server)).toEqual(Array.from({ length: 2_000 }, (_, n) => `"${n}"`));
  await server.db.deleteFrom('inbox_activities').execute();
});

test('FED-03: an activity with the id of an undone one is stored again, even if all three arrive together', async () => {
  await using server = await startServer();
  const activity = await activityFactory(server);
  await Promise.all([
    acceptActivity(server.app, activity('like', '"first"')),
    acceptActivity(server.app, activity('like', '"copy"')),
    acceptActivity(server.app, activity('undo', '"undo"', 'like')),
    acceptActivity(server.app, activity('like', '"second"')),
    acceptActivity(server.app, activity('undo', '"second undo"', 'like')),
  ]);
  expect(await storedBodies(server)).toEqual(['"first"', '"undo"', '"second"', '"second undo"']);
  await server.db.deleteFrom('inbox_activities').execute();
});
