import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { refreshMedia, removeUnusedMedia } from '../../../server/federation/retention/index.ts';
import { fetchFilesAgain, measureCachedFiles } from '../../../server/media/proxy/index.ts';
import { measureStorage } from '../../../server/media/usage/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';

const createPng = (): Promise<Buffer> =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();

/** A server, and a host with images; those whose name begins with `gone` cannot be fetched. */
async function scene() {
  const network = new Network();
  const server = await network.start('a.test');
  const png = await createPng();
  network.addHost('far.test', ({ pathname }) =>
    pathname.startsWith('/gone')
      ? { status: 404, headers: {}, body: Buffer.alloc(0) }
      : { status: 200, headers: { 'content-type': 'image/png' }, body: png },
  );
  const uri = 'https://far.test/users/eve';
  const eve = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri,
      username: 'eve',
      domain: 'far.test',
      inboxUrl: `${uri}/inbox`,
      avatarUrl: 'https://far.test/avatar.png',
    }),
  );
  return { network, server, png, eve, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

async function postWith(server: TestServer, accountId: AccountId, names: readonly string[]) {
  const id = await storeRemoteStatus(server.app, {
    uri: `https://far.test/notes/${names.join()}`,
    accountId,
    content: '',
    visibility: 'public',
    attachments: names.map((name) => ({ url: `https://far.test/${name}` })),
    publishedAt: server.clock.now(),
  });
  if (id === undefined) throw new Error('it was not stored');
  return id;
}

const requests = (network: Network): string[] => network.requests.map(({ url }) => url);

test('stored and cached files are measured by folder', async () => {
  await using s = await scene();
  const { server, png } = s;
  await server.app.storage.put('attachments/aa/one.png', png, 'image/png');
  await server.app.storage.put('accounts/avatars/two.png', png, 'image/png');
  const seen: number[] = [];
  const usage = await measureStorage(server.app, { progress: (files) => seen.push(files) });
  expect(usage.filter(({ files }) => files > 0)).toEqual([
    { folder: 'attachments', files: 1, bytes: png.length },
    { folder: 'accounts/avatars', files: 1, bytes: png.length },
  ]);
  expect(seen.at(-1)).toBe(2);
  expect(await measureCachedFiles(server.app)).toEqual({ files: 0, bytes: 0 });
  expect(await fetchFilesAgain(server.app, ['https://far.test/a.png', 'https://far.test/gone.png'])).toEqual({
    files: 2,
    fetched: 1,
    failed: 1,
  });
  expect(await measureCachedFiles(server.app)).toEqual({ files: 1, bytes: png.length });
});

test('cached files that were not viewed lately are removed, and fetched again on the next view', async () => {
  await using s = await scene();
  const { server, png, network } = s;
  await fetchFilesAgain(server.app, ['https://far.test/old.png', 'https://far.test/new.png']);
  const folder = join(server.app.config.dataDir, 'cache', 'media');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.png'));
  const old = new Date(server.clock.now().getTime() - 8 * 86_400_000);
  await utimes(join(folder, files[0] ?? ''), old, old);
  await utimes(join(folder, files[1] ?? ''), server.clock.now(), server.clock.now());
  const expected = { files: 1, bytes: png.length };
  expect(await removeUnusedMedia(server.app, 'system', { days: 7, dryRun: true })).toEqual(expected);
  const shares: number[] = [];
  expect(await removeUnusedMedia(server.app, 'system', { days: 7, progress: (share) => shares.push(share) })).toEqual(
    expected,
  );
  expect(shares.at(-1)).toBe(1);
  expect(await measureCachedFiles(server.app)).toEqual(expected);
  const before = requests(network).length;
  await fetchFilesAgain(server.app, ['https://far.test/old.png']);
  expect(requests(network).length).toBe(before + 1);
  const log = await server.app.db.selectFrom('audit_log').select(['action', 'target_label']).execute();
  expect(log).toEqual([{ action: 'media.remove', target_label: 'not viewed for 7 days' }]);
});

test('the media of a post, an account or a domain are fetched again', async () => {
  await using s = await scene();
  const { server, network, eve } = s;
  const first = await postWith(server, eve, ['one.png', 'gone.png']);
  await postWith(server, eve, ['two.png']);
  const refresh = (target: Parameters<typeof refreshMedia>[2]['target'], more = {}) =>
    refreshMedia(server.app, 'system', { target, label: target.kind, ...more });
  network.requests.length = 0;
  expect(await refresh({ kind: 'status', statusId: first })).toEqual({ files: 2, fetched: 1, failed: 1 });
  expect(requests(network).toSorted()).toEqual(['https://far.test/gone.png', 'https://far.test/one.png']);
  expect(await refresh({ kind: 'account', accountId: eve })).toEqual({ files: 4, fetched: 3, failed: 1 });
  expect(await refresh({ kind: 'domain', domain: 'far.test' })).toEqual({ files: 4, fetched: 3, failed: 1 });
  expect(await refresh({ kind: 'domain', domain: 'nowhere.test' })).toEqual({ files: 0, fetched: 0, failed: 0 });
  const count = requests(network).length;
  expect(await refresh({ kind: 'account', accountId: eve }, { dryRun: true })).toMatchObject({ files: 4, fetched: 0 });
  expect(requests(network)).toHaveLength(count);
  server.clock.advance(2 * 86_400);
  expect(await refresh({ kind: 'account', accountId: eve }, { days: 1 })).toMatchObject({ files: 1, fetched: 1 });
  const log = await server.app.db
    .selectFrom('audit_log')
    .select('target_label')
    .where('action', '=', 'media.refresh')
    .execute();
  expect(log).toHaveLength(5);
});
