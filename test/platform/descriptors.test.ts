import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { descriptorFinding } from '../../server/cli/doctor/diagnose.ts';
import {
  limitConnections,
  descriptorLimit,
  allocateDescriptors,
} from '../../server/platform/files/file-descriptors.ts';
import { startServer } from '../server.ts';

test('connections beyond the limit are closed and logged once, and the server keeps running', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  await using server = await startServer({ log });
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  limitConnections(server.app, server.http.server);
  server.http.server.maxConnections = 2;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const [first, second] = [await open(), await open()];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const refused = await open();
    await once(refused.resume(), 'close');
  }
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'too many client connections; new ones are closed',
  ]);
  first.destroy();
  second.write('GET /health HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n');
  const [response] = (await once(second, 'data')) as [Buffer];
  expect(response.toString()).toMatch(/^HTTP\/1\.1 200/);
});

test('file descriptors are divided so that the database and files always have enough', () => {
  for (const limit of [256, 1_024, 4_096, 65_536]) {
    const { incoming, outgoing } = allocateDescriptors(limit, 10);
    expect(incoming + outgoing).toBeLessThanOrEqual(limit - (limit > 512 ? 110 : 0));
    expect(incoming).toBeGreaterThanOrEqual(limit / 4);
    expect(outgoing).toBeLessThanOrEqual(4_000);
  }
  expect(descriptorLimit()).toBeGreaterThan(0);
  expect(descriptorLimit(0)).toBeUndefined();
});

test('the doctor warns about a limit too low for the sockets, and suggests a better one', () => {
  expect(descriptorFinding(65_536, 10)).toMatchObject({ state: 'ok' });
  const low = descriptorFinding(1_024, 10);
  expect(low).toMatchObject({ state: 'warn', detail: expect.stringContaining('1024 open files and sockets') });
  expect(low.fix).toContain('8192');
  expect(descriptorFinding(256, 10)).toMatchObject({ state: 'fail' });
});
