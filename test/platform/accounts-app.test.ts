import type { SubscriptionIndex } from '../../server/platform/events/reactions.ts';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAccountsApp } from '../../server/cli/open/accounts-app.ts';
import { createProgram } from '../../server/cli/index.ts';
import { issueToken } from '../../server/cli/account/issue-token.ts';
import { commandGroups } from '../../server/cli/run.ts';
import { createUser } from '../../server/users/index.ts';
import { startServer } from '../server.ts';

test('an account made by the command line has every consequence that one of the whole server has', async () => {
  await using server = await startServer();
  const { app } = server;
  const asked = new Set<string>();
  const record = (index: SubscriptionIndex): SubscriptionIndex => ({
    ...index,
    beforeCommit: (event) => (asked.add(event), index.beforeCommit(event)),
    afterCommit: (event) => (asked.add(event), index.afterCommit(event)),
    jobs: (event) => (asked.add(event), index.jobs(event)),
  });
  const whole = { ...app, subscriptions: record(app.subscriptions) };
  for (const confirmed of [true, false]) {
    const name = confirmed ? 'alice' : 'bob';
    const user = { username: name, email: `${name}@mail.test`, password: 'correct horse', confirmed, approved: true };
    const { userId } = await createUser(whole, user);
    await issueToken(whole, userId, ['read']);
  }
  const { subscriptions } = createAccountsApp({
    config: app.config,
    pool: app.pool,
    log: pino({ level: 'silent' }),
    bus: app.bus,
  });
  expect(asked).toContain('user.signed_up');
  expect(asked).toContain('account.activated');
  for (const kind of ['beforeCommit', 'afterCommit', 'jobs'] as const) {
    for (const event of asked) {
      expect(subscriptions[kind](event), `${kind} of ${event}`).toEqual(app.subscriptions[kind](event));
    }
  }
});

test('every group of commands is found by its name', async () => {
  expect(Object.keys(commandGroups).toSorted()).toEqual(
    createProgram()
      .commands.map((command) => command.name())
      .toSorted(),
  );
});
