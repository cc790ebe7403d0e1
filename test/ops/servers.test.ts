import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test, type TestContext } from 'vitest';
import { disposedAfter, waitForValue } from '../clients/real-server.ts';
import { findFreePort } from '../free-port.ts';
import { openCommandLine } from './command-line.ts';

const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';

interface Received {
  readonly path: string | undefined;
  readonly activity: { readonly type: string; readonly object: unknown };
}

/** An HTTP host on this machine that serves a list of domains and stores what is sent to it. */
async function startHost(stack: AsyncDisposableStack) {
  const list = { body: '' };
  const received: Received[] = [];
  const host = createServer((request, response) => {
    if (request.method === 'POST') {
      void json(request).then((activity) => {
        received.push({ path: request.url, activity: activity as Received['activity'] });
        response.writeHead(202).end();
      });
    } else if (request.url === '/blocks.csv') response.end(list.body);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  stack.defer(() => new Promise<void>((resolve) => host.close(() => resolve())));
  return { url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, list, received };
}

/** Returns commands and a host on this machine. */
async function prepare(onTestFinished: TestContext['onTestFinished']) {
  const stack = disposedAfter(onTestFinished);
  const port = String(await findFreePort());
  const settings = {
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_ADDRESSES: 'on',
    LOG_LEVEL: 'warn',
  };
  const commandLine = stack.use(await openCommandLine(settings));
  return { commandLine, host: await startHost(stack) };
}

test('ADM-03, ADM-04: blocked and allowed servers are imported from a file, after a preview, and exported', async ({
  onTestFinished,
}) => {
  const { commandLine } = await prepare(onTestFinished);
  const folder = await mkdtemp(join(tmpdir(), 'ff-lists-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'blocks.csv');
  await commandLine.run('domain', 'block', 'strict.test', '--severity', 'suspend');
  const lines = [
    'one.test,suspend,TRUE,TRUE,Spam,FALSE',
    'strict.test,silence,FALSE,FALSE,,FALSE',
    'no domain,suspend,,,,',
  ];
  // Joined from files of two systems.
  await writeFile(file, `${header}\r\n${lines.join('\n')}`);

  const preview = await commandLine.run('domain', 'import', file, '--dry-run');
  expect(preview).toMatch(/one\.test\s+create\s+suspend\s+-/);
  expect(preview).toMatch(/Line \d+ is skipped: no domain/);
  expect(preview.trim().endsWith('Nothing was changed.')).toBe(true);
  expect(await commandLine.runJson('domain', 'list')).toMatchObject({ blocks: [{ domain: 'strict.test' }] });
  expect((await commandLine.run('domain', 'import', file)).trim().endsWith('1 changed.')).toBe(true);
  expect((await commandLine.run('domain', 'import', file)).trim().endsWith('0 changed.')).toBe(true);
  expect(await commandLine.run('domain', 'export')).toMatch(/^one\.test,suspend,true,true,Spam,/im);
  expect(await commandLine.runJson('domain', 'import', file, '--weaken')).toMatchObject({ applied: 1 });
  expect(await commandLine.run('domain', 'export')).toMatch(/^strict\.test,silence/m);

  const allows = join(folder, 'allows.csv');
  await writeFile(allows, '#domain\nfriend.test\n');
  expect(
    (await commandLine.run('domain', 'import', allows, '--allows', '--dry-run'))
      .trim()
      .endsWith('Nothing was changed.'),
  ).toBe(true);
  expect(await commandLine.runJson('domain', 'import', allows, '--allows')).toMatchObject({ applied: 1 });
  expect(await commandLine.run('domain', 'export', '--allows')).toContain('friend.test');
  expect(await commandLine.fail('domain', 'import', join(folder, 'missing.csv'))).toContain('missing.csv');
  const log = (await commandLine.runJson('audit', 'list', '--target', 'domain_block')) as { staff: unknown }[];
  expect(log.map(({ staff }) => staff)).toEqual([null, null, null]);
});

test('ADM-03: a list of blocked servers is subscribed, compared, applied with an exception, and undone', async ({
  onTestFinished,
}) => {
  const { commandLine, host } = await prepare(onTestFinished);
  const url = `${host.url}/blocks.csv`;
  host.list.body = [header, 'one.test,suspend,TRUE,TRUE,,FALSE', 'two.test,silence,FALSE,FALSE,,FALSE'].join('\n');
  expect(await commandLine.run('domain-list', 'list')).toBe('There are no subscriptions.\n');
  // Stored while no server runs, and fetched by the one that starts.
  await commandLine.run('domain-list', 'subscribe', url);
  expect(await commandLine.fail('domain-list', 'subscribe', url)).toContain(url);
  await commandLine.serve();
  await waitForValue(async () => {
    const [list] = (await commandLine.runJson('domain-list', 'list')) as [{ fetched_at: string | null }];
    return list.fetched_at ?? undefined;
  });
  await commandLine.run('domain-list', 'except', url, 'two.test');
  const preview = await commandLine.run('domain-list', 'apply', url, '--dry-run');
  expect(preview).toMatch(/one\.test\s+create\s+suspend/);
  expect(preview.trim().endsWith('Nothing was changed.')).toBe(true);
  expect(await commandLine.runJson('domain-list', 'apply', url)).toMatchObject({ applied: 1 });
  expect(await commandLine.runJson('domain', 'list')).toMatchObject({
    blocks: [{ domain: 'one.test', severity: 'suspend' }],
  });
  await commandLine.run('domain-list', 'except', url, 'two.test', '--remove');
  expect(await commandLine.runJson('domain-list', 'apply', url)).toMatchObject({ applied: 1 });
  expect(await commandLine.run('domain-list', 'set', url, '--automatic')).toBe(`${url} is applied automatically.\n`);
  expect(await commandLine.run('domain-list', 'set', url, '--no-automatic')).toBe(`${url} is a draft.\n`);
  await commandLine.run('domain-list', 'unsubscribe', url, '--undo');
  expect(await commandLine.runJson('domain', 'list')).toMatchObject({ blocks: [] });
  expect(await commandLine.fail('domain-list', 'apply', url)).toBe(`fieldfare: Unknown list: ${url}\n`);
});

test('FED-01: a relay is added, followed by the running server, left and deleted', async ({ onTestFinished }) => {
  const { commandLine, host } = await prepare(onTestFinished);
  await commandLine.serve();
  const url = `${host.url}/inbox`;
  expect(await commandLine.run('relay', 'list')).toBe('There are no relays.\n');
  expect(await commandLine.runJson('relay', 'add', url)).toMatchObject({ url, kind: 'mastodon', state: 'pending' });
  expect(await commandLine.fail('relay', 'add', url)).toContain(url);
  const sent = (type: string) => host.received.find(({ activity }) => activity.type === type);
  const follow = await waitForValue(() => sent('Follow'));
  expect([follow.path, follow.activity.object]).toEqual(['/inbox', 'https://www.w3.org/ns/activitystreams#Public']);
  await commandLine.run('relay', 'unsubscribe', url);
  await waitForValue(() => sent('Undo'));
  expect(await commandLine.runJson('relay', 'subscribe', url)).toMatchObject({ state: 'pending' });
  expect(await commandLine.run('relay', 'remove', url)).toBe(`${url} is deleted.\n`);
  expect(await commandLine.fail('relay', 'remove', url)).toBe(`fieldfare: Unknown relay: ${url}\n`);
});
