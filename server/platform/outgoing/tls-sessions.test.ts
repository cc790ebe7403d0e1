import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type SecureVersion, type TLSSocket } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { OutgoingSockets } from './outgoing-sockets.ts';

const certificates = getCACertificates();
const closers: (() => unknown)[] = [() => setDefaultCACertificates(certificates)];
afterAll(async () => {
  for (const close of closers) await close();
});

/** Creates a certificate for 127.0.0.1 that this process trusts. */
function createTrustedCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'fieldfare-certificate-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const [keyPem, certPem] = [readFileSync(key), readFileSync(cert)];
    setDefaultCACertificates([...certificates, certPem.toString()]);
    return { key: keyPem, cert: certPem };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a TLS server that records whether each of its connections resumed a session. */
async function serveTls(maxVersion: SecureVersion) {
  const resumed: boolean[] = [];
  const server: Server = createServer({ ...createTrustedCertificate(), maxVersion }, (_request, response) => {
    response.end('ok');
  });
  server.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { server, resumed, origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A proxy that opens a tunnel to any host, and counts the tunnels. */
async function startProxy() {
  const tunnels: string[] = [];
  const server = createHttpServer();
  server.on('connect', ({ url = '' }, client: Socket) => {
    tunnels.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { tunnels, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

test.skipIf(!hasOpenssl).each([
  { version: 'TLSv1.2', byProxy: false },
  { version: 'TLSv1.3', byProxy: false },
  { version: 'TLSv1.3', byProxy: true },
] as const)(
  'FED-06: a new connection resumes the $version session of an earlier one (by a proxy: $byProxy)',
  async ({ version, byProxy }) => {
    const proxy = await startProxy();
    const { server, resumed, origin } = await serveTls(version);
    const sockets = new OutgoingSockets({
      resolve: (_hostname, callback) => callback(null, []),
      isAllowed: () => true,
      connectTimeoutMs: 30_000,
      ...(byProxy && { proxyFor: async () => proxy.url }),
    });
    closers.push(() => sockets.close());
    for (let round = 0; round < 3; round += 1) {
      const { statusCode } = await sockets.withHost(origin, (host) =>
        host
          .next()
          .request({ path: '/', method: 'POST', body: 'x' })
          .then(async (response) => {
            await response.body.dump();
            return response;
          }),
      );
      expect(statusCode).toBe(200);
      server.closeIdleConnections();
      await expect.poll(() => sockets.openCount).toBe(0);
    }
    expect(resumed).toEqual([false, true, true]);
    expect(proxy.tunnels.map((target) => `https://${target}`)).toEqual(byProxy ? [origin, origin, origin] : []);
  },
);
