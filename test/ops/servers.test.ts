import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test, type TestContext } from 'vitest';
import { disposedAfter, waitForValue } from '../clients/real-server.ts';
import { findFreePort, Installation } from './cli-process.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');
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

/** A data folder, a host on this machine, and functions that run commands. */
async function prepare(onTestFinished: TestContext['onTestFinished']) {
  const stack = disposedAfter(onTestFinished);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = { PORT: String(port), BASE_URL: url, ALLOW_PRIVATE_ADDRESSES: 'on', LOG_LEVEL: 'warn' };
  const installation = stack.use(new Installation(settings));
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await installation.runToEnd(...args);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const fail = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await installation.runToEnd(...args);
    expect(code).toBe(1);
    return stderr;
  };
  return {
    installation,
    run,
    fail,
    runJson: async (...args: string[]): Promise<unknown> => parseLastLine(await run(...args, '--json')),
    host: await startHost(stack),
  };
}

test('ADM-03, ADM-04: blocked and allowed servers are imported from a file, after a preview, and exported', async ({
  onTestFinished,
}) => {
  const { run, fail, runJson } = await prepare(onTestFinished);
  const folder = await mkdtemp(join(tmpdir(), 'ff-lists-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'blocks.csv');
  await run('domain', 'block', 'strict.test', '--severity', 'suspend');
  const lines = [
    'one.test,suspend,TRUE,TRUE,Spam,FALSE',
    'strict.test,silence,FALSE,FALSE,,FALSE',
    'no domain,suspend,,,,',
  ];
  // Joined from files of two systems.
  await writeFile(file, `${header}\r\n${lines.join('\n')}`);

  const preview = await run('domain', 'import', file, '--dry-run');
  expect(preview).toMatch(/one\.test\s+create\s+suspend\s+-/);
  expect(preview).toMatch(/Line \d+ is skipped: no domain/);
  expect(preview.trim().endsWith('Nothing was changed.')).toBe(true);
  expect(await runJson('domain', 'list')).toMatchObject({ blocks: [{ domain: 'strict.test' }] });
  expect((await run('domain', 'import', file)).trim().endsWith('1 changed.')).toBe(true);
  expect((await run('domain', 'import', file)).trim().endsWith('0 changed.')).toBe(true);
  expect(await run('domain', 'export')).toMatch(/^one\.test,suspend,true,true,Spam,/im);
  expect(await runJson('domain', 'import', file, '--weaken')).toMatchObject({ applied: 1 });
  expect(await run('domain', 'export')).toMatch(/^strict\.test,silence/m);

  const allows = join(folder, 'allows.csv');
  await writeFile(allows, '#domain\nfriend.test\n');
  expect((await run('domain', 'import', allows, '--allows', '--dry-run')).trim().endsWith('Nothing was changed.')).toBe(
    true,
  );
  expect(await runJson('domain', 'import', allows, '--allows')).toMatchObject({ applied: 1 });
  expect(await run('domain', 'export', '--allows')).toContain('friend.test');
  expect(await fail('domain', 'import', join(folder, 'missing.csv'))).toContain('missing.csv');
  const log = (await runJson('audit', 'list', '--target', 'domain_block')) as { staff: unknown }[];
  expect(log.map(({ staff }) => staff)).toEqual([null, null, null]);
});

test('ADM-03: a list of blocked servers is subscribed, compared, applied with an exception, and undone', async ({
  onTestFinished,
}) => {
  const { installation, run, fail, runJson, host } = await prepare(onTestFinished);
  const url = `${host.url}/blocks.csv`;
  host.list.body = [header, 'one.test,suspend,TRUE,TRUE,,FALSE', 'two.test,silence,FALSE,FALSE,,FALSE'].join('\n');
  expect(await run('domain-list', 'list')).toBe('There are no subscriptions.\n');
  // Stored while no server runs, and fetched by the one that starts.
  await run('domain-list', 'subscribe', url);
  expect(await fail('domain-list', 'subscribe', url)).toContain(url);
  const server = installation.run(['serve']);
  await server.waitForOutput('Fieldfare is ready');
  await waitForValue(async () => {
    const [list] = (await runJson('domain-list', 'list')) as [{ fetched_at: string | null }];
    return list.fetched_at ?? undefined;
  });
  await run('domain-list', 'except', url, 'two.test');
  const preview = await run('domain-list', 'apply', url, '--dry-run');
  expect(preview).toMatch(/one\.test\s+create\s+suspend/);
  expect(preview.trim().endsWith('Nothing was changed.')).toBe(true);
  expect(await runJson('domain-list', 'apply', url)).toMatchObject({ applied: 1 });
  expect(await runJson('domain', 'list')).toMatchObject({ blocks: [{ domain: 'one.test', severity: 'suspend' }] });
  await run('domain-list', 'except', url, 'two.test', '--remove');
  expect(await runJson('domain-list', 'apply', url)).toMatchObject({ applied: 1 });
  expect(await run('domain-list', 'set', url, '--automatic')).toBe(`${url} is applied automatically.\n`);
  expect(await run('domain-list', 'set', url, '--no-automatic')).toBe(`${url} is a draft.\n`);
  await run('domain-list', 'unsubscribe', url, '--undo');
  expect(await runJson('domain', 'list')).toMatchObject({ blocks: [] });
  expect(await fail('domain-list', 'apply', url)).toBe(`fieldfare: Unknown list: ${url}\n`);
  expect((await server.kill('SIGTERM')).code).toBe(0);
});

test('FED-01: a relay is added, followed by the running server, left and deleted', async ({ onTestFinished }) => {
  const { installation, run, fail, runJson, host } = await prepare(onTestFinished);
  const server = installation.run(['serve']);
  await server.waitForOutput('Fieldfare is ready');
  const url = `${host.url}/inbox`;
  expect(await run('relay', 'list')).toBe('There are no relays.\n');
  expect(await runJson('relay', 'add', url)).toMatchObject({ url, kind: 'mastodon', state: 'pending' });
  expect(await fail('relay', 'add', url)).toContain(url);
  const sent = (type: string) => host.received.find(({ activity }) => activity.type === type);
  const follow = await waitForValue(() => sent('Follow'));
  expect([follow.path, follow.activity.object]).toEqual(['/inbox', 'https://www.w3.org/ns/activitystreams#Public']);
  await run('relay', 'unsubscribe', url);
  await waitForValue(() => sent('Undo'));
  expect(await runJson('relay', 'subscribe', url)).toMatchObject({ state: 'pending' });
  expect(await run('relay', 'remove', url)).toBe(`${url} is deleted.\n`);
  expect(await fail('relay', 'remove', url)).toBe(`fieldfare: Unknown relay: ${url}\n`);
  expect((await server.kill('SIGTERM')).code).toBe(0);
});
