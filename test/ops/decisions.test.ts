import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';

test('ADM-01: a decision by the command line answers a report with a stored text', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'error' });
  for (const name of ['alice', 'spammer']) {
    await commandLine.run('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed');
  }
  const preset = (await commandLine.runJson('preset', 'add', 'Spam', 'We do not allow adverts.')) as { id: string };
  await commandLine.run('preset', 'edit', preset.id, '--text', 'Adverts are not allowed.');
  expect(await commandLine.runJson('preset', 'list')).toEqual([
    { id: preset.id, title: 'Spam', text: 'Adverts are not allowed.' },
  ]);
  await commandLine.database
    .query(`insert into reports (id, account_id, target_account_id, category, comment, status_ids, collection_ids,
         forward_domains, forwarded, created_at, updated_at)
       select 77, reporter.id, target.id, 'spam', '', '{}', '{}', '{}', false, now(), now()
       from accounts reporter, accounts target where reporter.username = 'alice' and target.username = 'spammer'`);
  await commandLine.refuse(['account', 'silence', 'alice', '--report', '77'], 'there is no report 77 about @alice');
  await commandLine.refuse(
    ['account', 'silence', 'alice', 'spammer', '--report', '77'],
    '--report needs a single account.',
  );
  await commandLine.refuse(['account', 'warn', 'spammer', '--preset', 'x'], 'Invalid id: x');
  const decision = ['--report', '77', '--preset', preset.id, '--text', 'Delete them.'];
  expect(await commandLine.run('account', 'silence', 'spammer', ...decision)).toBe('@spammer is limited.\n');
  expect(await commandLine.runJson('strike', 'list', 'spammer')).toMatchObject([
    { action: 'silence', text: 'Adverts are not allowed.\n\nDelete them.' },
  ]);
  expect(await commandLine.runJson('report', 'list')).toEqual([]);
  expect(await commandLine.run('preset', 'delete', preset.id)).toBe(`The text ${preset.id} is deleted.\n`);
  await commandLine.refuse(['preset', 'delete', preset.id], `Unknown text: ${preset.id}`);
});
