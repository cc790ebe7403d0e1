import { expect, test } from 'vitest';
import { disableUser } from '../../../server/moderation/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { announceTermsOfService, publishTermsOfService } from '../../../server/site/terms/index.ts';
import { sendNewSignIn, sendSecurityNotice } from '../../../server/users/mails/security-notices.ts';
import { changePassword, requestPasswordReset } from '../../../server/users/sign-in/index.ts';
import { startServer, type TestServer } from '../../server.ts';

/** Makes the mail server answer every mail with a permanent error, and returns the addresses of these mails. */
function rejectMails(server: TestServer, response: string): string[] {
  const rejected: string[] = [];
  Object.assign(server.app.mail, {
    send: ({ to }: { to: string }) => {
      rejected.push(to);
      return Promise.reject(
        Object.assign(new Error(`rejected: ${response}`), { command: 'RCPT TO', responseCode: 550, response }),
      );
    },
  });
  return rejected;
}

const findJobs = ({ db }: TestServer) => db.selectFrom('jobs').select('name').where('queue', '=', 'mail').execute();

test('mails to users whose address is rejected permanently are tried once, and leave no failed job', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const { app } = server;
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await server.user('owen', { role: 'owner' });
  await server.drain();
  const rejected = rejectMails(server, '550 5.1.1 no such user');
  await server.user('dora', { confirmed: false });
  await requestPasswordReset(app, 'alice@mail.test');
  await changePassword(app, bob.userId, {
    origin: {},
    current: 'correct horse battery',
    password: 'another horse battery',
  });
  await disableUser(app, 'system', { accountId: carol.id });
  await alice.post('/api/v1/reports', { account_id: bob.id });
  await server.drain();
  expect(rejected.toSorted()).toEqual(['alice', 'bob', 'carol', 'dora', 'owen'].map((name) => `${name}@mail.test`));
  const effectiveDate = await publishTermsOfService(app, 'system', {
    content: '<p>x</p>',
    changelog: '',
    effectiveDate: '2999-01-01',
  });
  await announceTermsOfService(app, 'system', effectiveDate);
  await server.drain();
  server.clock.advance(60);
  await server.drain();
  expect(rejected.slice(5).toSorted()).toEqual(['alice', 'bob', 'owen'].map((name) => `${name}@mail.test`));
  expect(await findJobs(server)).toEqual([]);
});

test('mails are tried again while the mail server does not relay', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.drain();
  const rejected = rejectMails(server, '550 5.7.1 Relay access denied');
  server.expectFailedJobs('user.send_password_reset');
  await requestPasswordReset(server.app, 'alice@mail.test');
  await server.drain();
  server.clock.advance(60);
  await server.drain();
  expect(rejected).toEqual(['alice@mail.test', 'alice@mail.test']);
  expect(await findJobs(server)).toHaveLength(1);
});

test('notices about the safety of an account are tried once, too', async () => {
  await using server = await startServer();
  const { userId } = await server.user('alice');
  await server.drain();
  const rejected = rejectMails(server, '550 5.1.1 no such user');
  await transaction(server.app, async ({ enqueue }) => {
    enqueue(sendSecurityNotice({ userId, notice: 'totpEnabled' }));
    enqueue(sendNewSignIn({ userId, ip: '192.0.2.1', userAgent: 'curl', at: server.clock.now().toISOString() }));
  });
  await server.drain();
  expect(rejected).toEqual(['alice@mail.test', 'alice@mail.test']);
  expect(await findJobs(server)).toEqual([]);
});
