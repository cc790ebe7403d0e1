import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { migratedInstallation } from './migrated-installation.ts';

const root = join(import.meta.dirname, '..', '..');

test('npm run dev restarts the server after a change, keeps its data, and stops it on a signal', async () => {
  const port = await findFreePort();
  await using installation = await migratedInstallation();
  const server = installation.npmRunDev({ PORT: String(port), BASE_URL: `http://localhost:${port}` });
  await server.waitForOutput('Fieldfare is ready');
  const created = await installation.runToEnd(
    'account',
    'create',
    'alice',
    '--email',
    'alice@mail.test',
    '--confirmed',
  );
  expect(created.code, created.stderr).toBe(0);
  const file = join(root, 'server', 'pages', 'render', 'pages.css');
  const { atime, mtime } = statSync(file);
  utimesSync(file, atime, mtime);
  await expect.poll(() => server.stdout.split('Fieldfare is ready').length - 1).toBe(2);
  const profile = await fetch(`http://127.0.0.1:${port}/@alice`);
  expect(profile.status).toBe(200);
  const { stdout } = await server.kill('SIGTERM');
  expect(stdout.split('Stopped\n')).toHaveLength(3);
});
