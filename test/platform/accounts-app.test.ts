import type { SubscriptionIndex } from '../../server/platform/write/subscriptions.ts';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAccountsApp } from '../../server/cli/open/accounts-app.ts';
import { issueToken } from '../../server/cli/account/issue-token.ts';
import { createUser } from '../../server/users/sign-up/index.ts';
import { startServer } from '../server.ts';

test('an account created by the command line has the same reactions as one created by the server', async () => {
  await using server = await startServer();
  const { app } = server;
  const events = new Set<string>();
  const record = (index: SubscriptionIndex): SubscriptionIndex => ({
    ...index,
    inTransaction: (event) => (events.add(event), index.inTransaction(event)),
    publish: (event) => (events.add(event), index.publish(event)),
    jobs: (event) => (events.add(event), index.jobs(event)),
  });
  const recordingApp = { ...app, subscriptions: record(app.subscriptions) };
  for (const confirmed of [true, false]) {
    const name = confirmed ? 'alice' : 'bob';
    const user = { username: name, email: `${name}@mail.test`, password: 'correct horse', confirmed, approved: true };
    const { userId } = await createUser(recordingApp, user);
    await issueToken(recordingApp, userId, ['read']);
  }
  const { subscriptions } = createAccountsApp({
    config: app.config,
    pool: app.pool,
    directConnection: app.directConnection,
    log: pino({ level: 'silent' }),
    bus: app.bus,
  });
  expect(events).toContain('account.changed');
  const here = (index: SubscriptionIndex, event: string) => index.publish(event).filter(({ onlyHere }) => onlyHere);
  for (const event of events) {
    expect(subscriptions.inTransaction(event), event).toEqual(app.subscriptions.inTransaction(event));
    expect(subscriptions.jobs(event), event).toEqual(app.subscriptions.jobs(event));
    expect(here(subscriptions, event), event).toEqual(here(app.subscriptions, event));
  }
});
