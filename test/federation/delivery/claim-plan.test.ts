import { expect, test } from 'vitest';
import { claimDeliveries } from '../../../server/federation/delivery/claim-deliveries.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer } from '../../server.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test('FED-06: a claim reads due deliveries in order up to its limit, however many are due and hosts are busy', async () => {
  await using server = await startServer();
  const room = { maxRows: 10, responsiveHostsOnly: false, busyLanes: ['busy.test'], saturatedHosts: [] };
  const statements = await recordStatements(() => claimDeliveries(server.app, room));
  const claim = statements.find(({ text }) => text.includes('update deliveries'));
  const client = await server.pool.connect();
  try {
    // In an empty table a scan with a sort is the cheapest plan.
    await client.query('set enable_seqscan = off');
    await client.query('set enable_bitmapscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (generic_plan, format json) ${claim?.text}`,
    );
    const locks = rows
      .flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))
      .filter((node) => node['Node Type'] === 'LockRows');
    const scans = locks.map(({ Plans = [] }) => Plans[0]);
    expect(scans).toMatchObject([{ 'Node Type': 'Index Scan', 'Index Name': 'deliveries_due' }]);
    expect(scans[0]?.Filter).toContain('hashed SubPlan');
  } finally {
    client.release(true);
  }
});
