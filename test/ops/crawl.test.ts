import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';
import { createMigratedDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';

test('servers that do not answer are reported from the command line', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'error' });
  const refused = await commandLine.runToEnd('domain', 'crawl', 'no domain');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Not a domain: no domain')]);
  const json = await commandLine.runToEnd('domain', 'crawl', 'gone.invalid', 'away.invalid', '--limit', '1', '--json');
  expect([json.code, JSON.parse(json.stdout)]).toEqual([
    0,
    [expect.objectContaining({ domain: 'gone.invalid', error: expect.any(String), software: null })],
  ]);
  // Nobody is known yet.
  const { code, stdout } = await commandLine.runToEnd('domain', 'crawl');
  expect([code, stdout]).toEqual([0, '0 of 0 servers answered.\n']);
});

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

/** Starts a server with nodeinfo and a list of peers on this machine, with a certificate that is stored in a folder. */
async function serveInstance(folder: string, peers: readonly string[]) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url, headers }, response) => {
    const documents: Record<string, unknown> = {
      '/.well-known/nodeinfo': { links: [{ rel: 'x', href: `https://${headers.host}/nodeinfo/2.0` }] },
      '/nodeinfo/2.0': { software: { name: 'gull', version: '1.2' }, usage: { users: { total: 3 }, localPosts: 40 } },
      '/api/v1/instance/peers': peers,
    };
    const document = documents[url ?? ''];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const domain = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { domain, cert, [Symbol.asyncDispose]: async () => void server.close() };
}

test.skipIf(!hasOpenssl)(
  'a server that answers is shown with its software, size and peers, and leads to them',
  async () => {
    await using database = await createMigratedDatabase();
    const settings = { LOG_LEVEL: 'error', ALLOW_PRIVATE_ADDRESSES: 'on' };
    await using installation = new DatabaseInstallation(database, settings);
    await using remote = await serveInstance(installation.folder, ['gone.invalid', 'no domain']);
    const trust = { NODE_EXTRA_CA_CERTS: remote.cert };
    const json = await installation.run(['domain', 'crawl', remote.domain, '--json'], trust).exited;
    const servers = JSON.parse(json.stdout) as { domain: string }[];
    const members = { error: null, software: 'gull', version: '1.2', users: 3, posts: 40, peers: 1 };
    expect(servers).toEqual([
      { domain: remote.domain, ...members },
      expect.objectContaining({ domain: 'gone.invalid', error: expect.any(String) }),
    ]);
    const { code, stdout } = await installation.run(['domain', 'crawl', remote.domain], trust).exited;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/gull\s+1\s+3\s+1 of 2 servers answered\./)]);
  },
);
