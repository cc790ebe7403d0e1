import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';

test('staff let every user follow an account, end follows, and look after remote accounts from the command line', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'error' });
  for (const name of ['town', 'ann', 'ben'])
    await commandLine.run('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed');
  const { id } = await commandLine.runJson<{ id: string }>('account', 'show', 'town');

  await commandLine.refuse(['account', 'follow', 'ann', 'town'], 'Only ALL can be made to follow');
  const announced = ['account', 'follow', 'ALL', 'town', '--announce', 'All follow the town now'];
  expect(await commandLine.run(...announced)).toBe(
    '2 users follow @town now, 0 requested to, 0 cannot.\nThe announcement is published.\n',
  );
  expect(await commandLine.runJson('announcement', 'list')).toMatchObject([{ text: 'All follow the town now' }]);

  await commandLine.refuse(['account', 'reset-relationships', 'town', '--yes'], '--follows, --followers or both');
  await commandLine.refuse(['account', 'reset-relationships', 'town', '--followers'], 'add --yes');
  expect(
    await commandLine.runJson('account', 'reset-relationships', 'town', '--follows', '--followers', '--yes'),
  ).toEqual({
    account: 'town',
    id,
    follows: 0,
    followers: 2,
  });

  await commandLine.refuse(['account', 'refresh'], 'Pass names of remote accounts, --domain or --all.');
  await commandLine.refuse(['account', 'refresh', 'eve@far.test', '--all'], 'Pass names of remote accounts');
  await commandLine.refuse(['account', 'refresh', 'ann'], 'ann is a local account.');
  await commandLine.database.query(`insert into accounts (id, username, domain, uri, created_at, updated_at)
    values (7, 'eve', 'far.invalid', 'https://far.invalid/users/eve', now(), now())`);
  expect(await commandLine.run('account', 'refresh', '--domain', 'far.invalid')).toBe(
    '@eve@far.invalid could not be fetched.\n0 accounts are refreshed.\n',
  );
  expect(await commandLine.run('account', 'cull', '--dry-run')).toBe(
    'far.invalid does not answer. If it is gone: domain purge far.invalid\nAsked for 0 accounts; 0 are gone.\n',
  );

  await commandLine.database.query(`insert into accounts (id, username, domain, uri, created_at, updated_at)
    values (8, 'eve', 'new.invalid', 'https://new.invalid/users/eve', now(), now());
    insert into follows (id, account_id, target_account_id, created_at) select 1, id, 7, now() from accounts where username = 'ben'`);
  const merge = ['account', 'merge', 'eve@far.invalid', 'eve@new.invalid'];
  await commandLine.refuse(merge, 'Nothing shows that @eve@far.invalid and @eve@new.invalid belong to the same person');
  await commandLine.refuse(['account', 'merge', 'ben', 'ann'], '@ben is a local account');
  await commandLine.refuse(['account', 'merge', 'eve@far.invalid', 'eve@far.invalid'], 'cannot continue as itself');
  await commandLine.refuse(['account', 'merge', 'eve@far.invalid', 'nobody'], 'Unknown account: nobody');
  expect(await commandLine.run(...merge, '--force')).toContain('@eve@far.invalid continues as @eve@new.invalid.');
  await commandLine.refuse(merge, '@eve@far.invalid has moved to @eve@new.invalid already.');
  await commandLine.refuse(
    ['account', 'merge', 'eve@new.invalid', 'eve@far.invalid'],
    '@eve@far.invalid has moved itself.',
  );

  expect(await commandLine.run('cards', 'remove')).toBe('Removed the previews of 0 posts older than 180 days.\n');
});
