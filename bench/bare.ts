// What the framework and the database cost by themselves: a route that runs one query of 20 rows and sends ready text.
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { openPool, type Connection } from '../server/platform/wire/pool.ts';

export interface BarePlan {
  readonly connection: Connection;
  readonly accountId: string;
}

async function serve({ connection, accountId }: BarePlan): Promise<void> {
  const pool = openPool(connection, 10);
  const body = JSON.stringify('x'.repeat(30_000));
  const query = 'select status_id from home_feed where account_id = $1 order by status_id desc limit 20';
  const http = Fastify();
  http.get('/', async (_request, reply) => {
    const { rows } = await pool.query<{ status_id: string }>(query, [accountId]);
    return reply.header('content-type', 'application/json').header('x-rows', rows.length).send(body);
  });
  const origin = await http.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write(`ready at ${origin}\n`);
}

if (import.meta.main) await serve(JSON.parse(await text(process.stdin)) as BarePlan);
