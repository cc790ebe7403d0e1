import { expect, test } from 'vitest';
import { Installation } from './cli-process.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('ADM-01: a decision by the command line answers a report with a stored text', async () => {
  await using installation = new Installation({ LOG_LEVEL: 'error' });
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await installation.runToEnd(...args);
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout;
  };
  const runJson = async (...args: string[]) => parseLastLine(await run(...args, '--json'));
  const refuse = async (args: string[], message: string): Promise<void> => {
    const { code, stderr } = await installation.runToEnd(...args);
    expect([code, stderr.includes(message) || stderr], args.join(' ')).toEqual([1, true]);
  };
  for (const name of ['alice', 'spammer']) {
    await run('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed');
  }
  const preset = (await runJson('preset', 'add', 'Spam', 'We do not allow adverts.')) as { id: string };
  await run('preset', 'edit', preset.id, '--text', 'Adverts are not allowed.');
  expect(await runJson('preset', 'list')).toEqual([{ id: preset.id, title: 'Spam', text: 'Adverts are not allowed.' }]);
  await run(
    'db',
    'psql',
    '--',
    '-c',
    `insert into reports (id, account_id, target_account_id, category, comment, status_ids, collection_ids,
         forward_domains, forwarded, created_at, updated_at)
       select 77, reporter.id, target.id, 'spam', '', '{}', '{}', '{}', false, now(), now()
       from accounts reporter, accounts target where reporter.username = 'alice' and target.username = 'spammer'`,
  );
  await refuse(['account', 'silence', 'alice', '--report', '77'], 'there is no report 77 about @alice');
  await refuse(['account', 'silence', 'alice', 'spammer', '--report', '77'], '--report needs a single account.');
  await refuse(['account', 'warn', 'spammer', '--preset', 'x'], 'Invalid id: x');
  const decision = ['--report', '77', '--preset', preset.id, '--text', 'Delete them.'];
  expect(await run('account', 'silence', 'spammer', ...decision)).toBe('@spammer is limited.\n');
  expect(await runJson('strike', 'list', 'spammer')).toMatchObject([
    { action: 'silence', text: 'Adverts are not allowed.\n\nDelete them.' },
  ]);
  expect(await runJson('report', 'list')).toEqual([]);
  expect(await run('preset', 'delete', preset.id)).toBe(`The text ${preset.id} is deleted.\n`);
  await refuse(['preset', 'delete', preset.id], `Unknown text: ${preset.id}`);
});
