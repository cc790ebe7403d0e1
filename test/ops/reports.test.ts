import { expect, test } from 'vitest';
import { waitForValue } from '../clients/real-server.ts';
import { openCommandLine } from './command-line.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('ADM-05: a moderator works on a report by the command line, from an empty server to its resolution', async () => {
  await using commandLine = await openCommandLine({ REGISTRATIONS: 'open', LOG_LEVEL: 'warn' });
  const url = await commandLine.serve();
  const run = async (...args: string[]) => {
    const result = await commandLine.runToEnd(...args);
    expect(result.code, result.stderr).toBe(0);
    return result.stdout;
  };
  const runJson = async (...args: string[]) => parseLastLine(await run(...args, '--json'));
  const createAccount = async (name: string, ...more: string[]) =>
    (await runJson('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed', ...more)) as {
      id: string;
      access_token: string;
    };
  const request = async (token: string, method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string };
  };
  const scopes = ['--scopes', 'read write'];
  const [alice, spammer] = [await createAccount('alice', ...scopes), await createAccount('spammer', ...scopes)];
  await createAccount('merle', '--role', 'moderator');
  const post = await request(spammer.access_token, 'POST', '/api/v1/statuses', { status: 'Buy my watches' });
  const { id } = await request(alice.access_token, 'POST', '/api/v1/reports', {
    account_id: spammer.id,
    status_ids: [post.id],
    comment: 'Adverts',
  });
  const other = await request(spammer.access_token, 'POST', '/api/v1/statuses', { status: 'Buy my hats' });
  const second = await request(alice.access_token, 'POST', '/api/v1/reports', {
    account_id: spammer.id,
    status_ids: [other.id],
  });
  expect(await run('report', 'mark-sensitive', second.id, '--no-notify')).toContain('are marked as sensitive');
  expect((await commandLine.runToEnd('report', 'delete-posts', second.id)).stderr).toContain('add --yes');
  expect(await run('report', 'delete-posts', second.id, '--post', other.id, '--no-notify', '--yes')).toBe(
    `The posts of report ${second.id} are deleted.\n`,
  );
  await request(spammer.access_token, 'DELETE', `/api/v1/statuses/${post.id}`, {});

  expect(await run('report', 'list')).toMatch(/@spammer\s+@alice\s+other\s+1\s+-\s+open\s+Adverts/);
  expect(await run('report', 'assign', id, '@merle')).toBe(`Report ${id} is assigned to @merle.\n`);
  const refused = await commandLine.runToEnd('report', 'assign', id, 'alice');
  expect([refused.code, refused.stderr]).toEqual([1, 'fieldfare: @alice may not manage reports.\n']);
  await run('report', 'update', id, '--category', 'spam');
  await run('report', 'note', id, 'Sells the same watches elsewhere');
  const shown = await run('report', 'show', id);
  for (const line of [
    'category   spam',
    'assigned   @merle',
    `post ${post.id} (public, deleted)`,
    'Buy my watches',
    'note by the command line',
  ]) {
    expect(shown).toContain(line);
  }
  const forward = await commandLine.runToEnd('report', 'forward', id);
  expect([forward.code, forward.stderr]).toEqual([1, expect.stringContaining('Account is not remote')]);
  // Resolves the report too; the entry about the account in the audit log has it.
  await run('account', 'suspend', 'spammer', '--no-notify');
  expect(await run('report', 'resolve', id)).toBe(`Report ${id} was already resolved.\n`);
  expect(await run('report', 'list')).toBe('There are no such reports.\n');
  expect(await runJson('report', 'list', '--resolved', '--target', 'spammer')).toMatchObject([
    { id: second.id, action_taken: true },
    { id, action_taken: true, category: 'spam', target_account: { suspended: true } },
  ]);
  await run('report', 'reopen', id);
  await run('report', 'unassign', id);
  await run('report', 'resolve', id);
  expect((await commandLine.runToEnd('report', 'show', '1')).stderr).toBe('fieldfare: Unknown report: 1\n');
  expect((await commandLine.runToEnd('report', 'resolve', 'x')).stderr).toContain('Not the id of a report: x');
  const log = (await runJson('audit', 'list', '--target', 'report')) as { action: string }[];
  expect(log.map(({ action }) => action).toReversed()).toEqual(
    ['assign', 'update', 'reopen', 'unassign', 'resolve'].map((verb) => `report.${verb}`),
  );
  // The server that runs knows at once.
  const status = async () => (await fetch(`${url}/@spammer`, { headers: { accept: 'text/html' } })).status;
  expect(await waitForValue(async () => ((await status()) === 403 ? true : undefined))).toBe(true);
});
