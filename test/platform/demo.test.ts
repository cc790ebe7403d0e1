import { expect, test } from 'vitest';
import { seedDemo } from '../../server/cli/demo/seed-demo.ts';
import { startServer } from '../server.ts';

test('a database with real accounts gets no demo data', async () => {
  await using server = await startServer();
  await server.user('alice');
  const size = { accounts: 5, statuses: 10, followsPerAccount: 2, seed: 1 };
  await expect(seedDemo(server.app, size, () => {})).rejects.toThrow('real accounts (@alice is one)');
  const accounts = await server.app.db.selectFrom('accounts').select('username').where('domain', 'is', null).execute();
  expect(accounts.map(({ username }) => username).filter((name) => !name.includes('.'))).toEqual(['alice']);
});
