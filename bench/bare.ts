// Measures what Node, the framework and the database cost by themselves. Its routes send a constant, one row, or a ready
// text after a query of 20 rows.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { openPool, type Connection } from '../server/platform/wire/pool.ts';

export interface BarePlan {
  readonly connection: Connection;
  readonly accountId: string;
}

const hello = { hello: 'world' };

async function serve({ connection, accountId }: BarePlan): Promise<void> {
  const pool = openPool(connection, 10);
  const page = JSON.stringify('x'.repeat(30_000));
  const query = 'select status_id from home_feed where account_id = $1 order by status_id desc limit 20';
  const row = { name: 'row', text: 'select id::text, username, display_name from accounts where id = $1' };
  const http = Fastify();
  http.get('/', async (_request, reply) => {
    const { rows } = await pool.query<{ status_id: string }>(query, [accountId]);
    return reply.header('content-type', 'application/json').header('x-rows', rows.length).send(page);
  });
  http.get('/hello', async () => hello);
  http.get('/row', async () => (await pool.query<{ id: string }>({ ...row, values: [accountId] })).rows[0]);
  const origin = await http.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write(`ready at ${origin} and ${await serveByNode()}\n`);
}

/** Serves a constant without a framework. Returns the origin. */
async function serveByNode(): Promise<string> {
  const server = createServer((_request, response) => {
    const body = JSON.stringify(hello);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
    response.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (import.meta.main) await serve(JSON.parse(await text(process.stdin)) as BarePlan);
