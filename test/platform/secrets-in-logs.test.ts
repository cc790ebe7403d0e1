import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startServer } from '../server.ts';

test('the URL of a failed request is logged without its secrets', async () => {
  await using server = await startServer();
  const lines: string[] = [];
  Object.assign(server.app, { log: pino({}, { write: (line: string) => void lines.push(line) }) });
  await sql`alter table users rename to nothing`.execute(server.db);
  const secret = 'Zm9vYmFyYmF6cXV4cXV1eGNvcmdl';
  for (const url of [
    `/auth/password/edit?reset_password_token=${secret}`,
    `/auth/confirmation?lang=en&confirmation_token=${secret}`,
    `/setup?token=${secret}`,
    `/auth/password/edit?reset_password_token=x&access_token=${secret}&client_secret=${secret}&code=${secret}`,
  ]) {
    expect((await server.http.inject(url)).statusCode).toBe(500);
  }
  expect(lines.map((line) => (JSON.parse(line) as { url: string }).url)).toEqual([
    '/auth/password/edit?reset_password_token=[hidden]',
    '/auth/confirmation?lang=en&confirmation_token=[hidden]',
    '/setup?token=[hidden]',
    '/auth/password/edit?reset_password_token=[hidden]&access_token=[hidden]&client_secret=[hidden]&code=[hidden]',
  ]);
  expect(lines.join('')).not.toContain(secret);
});
