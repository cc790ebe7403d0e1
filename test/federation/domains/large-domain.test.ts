import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '../../../server/platform/ids.ts';
import { blockDomain } from '../../../server/site/domains/index.ts';
import { startServer, type TestServer } from '../../server.ts';

async function addAccounts(server: TestServer, domain: string, count: number): Promise<void> {
  const now = server.clock.now();
  await sql`
    with added as (
      insert into accounts (id, username, domain, uri, created_at, updated_at)
      select id, 'bird' || place, ${domain}, 'https://' || ${domain} || '/' || place, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${Array.from({ length: count }, () => newId<'account'>(now))}::bigint[])
        with ordinality as account(id, place)
      returning id)
    insert into account_stats (account_id) select id from added`.execute(server.db);
}

const suspendedOf = async ({ app }: TestServer, domain: string): Promise<number> =>
  (
    await app.db
      .selectFrom('accounts')
      .select('id')
      .where('domain', '=', domain)
      .where('suspension_origin', '=', 'domain')
      .execute()
  ).length;

test('ADM-03: a large domain is suspended in batches, each a job, and a later change of the block decides', async () => {
  await using server = await startServer();
  await addAccounts(server, 'large.test', 1_203);
  await addAccounts(server, 'sub.large.test:8443', 2);
  await addAccounts(server, 'notlarge.test', 1);
  await blockDomain(server.app, 'system', { domain: 'large.test', severity: 'suspend' });
  await server.drain();
  expect(await suspendedOf(server, 'large.test')).toBe(1_203);
  expect(await suspendedOf(server, 'sub.large.test:8443')).toBe(2);
  expect(await suspendedOf(server, 'notlarge.test')).toBe(0);

  await blockDomain(server.app, 'system', { domain: 'large.test', severity: 'noop' });
  await blockDomain(server.app, 'system', { domain: 'large.test', severity: 'suspend' });
  await blockDomain(server.app, 'system', { domain: 'large.test', severity: 'silence' });
  await server.drain();
  expect(await suspendedOf(server, 'large.test')).toBe(0);
  const silenced = await server.app.db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', 'large.test')
    .where('silence_origin', '=', 'domain')
    .execute();
  expect(silenced).toHaveLength(1_203);
});
