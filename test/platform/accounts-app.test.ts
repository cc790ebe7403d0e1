import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAccountsApp } from '../../server/cli/accounts-app.ts';
import { commandLine } from '../../server/cli/index.ts';
import { makeToken } from '../../server/cli/make-token.ts';
import { commandGroups } from '../../server/cli/run.ts';
import type { SubscriptionIndex } from '../../server/platform/app.ts';
import { createUser } from '../../server/users/index.ts';
import { startServer } from '../server.ts';

test('an account made by the command line has every consequence that one of the whole server has', async () => {
  await using server = await startServer();
  const { app } = server;
  const asked = new Set<string>();
  const record = (index: SubscriptionIndex): SubscriptionIndex => ({
    ...index,
    durable: (event) => (asked.add(event), index.durable(event)),
    live: (event) => (asked.add(event), index.live(event)),
    within: (event) => (asked.add(event), index.within(event)),
  });
  const whole = { ...app, subscriptions: record(app.subscriptions) };
  for (const confirmed of [true, false]) {
    const name = confirmed ? 'alice' : 'bob';
    const user = { username: name, email: `${name}@mail.test`, password: 'correct horse', confirmed, approved: true };
    const { userId } = await createUser(whole, user);
    await makeToken(whole, userId, ['read']);
  }
  const { subscriptions } = createAccountsApp({
    config: app.config,
    pool: app.pool,
    log: pino({ level: 'silent' }),
    bus: app.bus,
  });
  expect(asked).toContain('user.signed-up');
  expect(asked).toContain('account.activated');
  for (const kind of ['durable', 'live', 'within'] as const) {
    for (const event of asked) {
      const names = (index: SubscriptionIndex) => index[kind](event).map((subscription) => subscription.name);
      expect(names(subscriptions), `${kind} subscribers of ${event}`).toEqual(names(app.subscriptions));
    }
  }
});

test('every group of commands is found by its name', async () => {
  expect(Object.keys(commandGroups).toSorted()).toEqual(
    commandLine()
      .commands.map((command) => command.name())
      .toSorted(),
  );
});
