import { expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import { startServer } from '../server.ts';

test('the OpenAPI document lists every operation of the client interface with its parameters and scopes', async () => {
  await using server = await startServer();
  const answer = await server.anonymous.get('/api/openapi.json');
  const document = answer.json as {
    openapi: string;
    paths: Record<string, Record<string, { summary: string; parameters: { name: string }[] }>>;
  };
  expect(document.openapi).toBe('3.1.0');
  const documented = routes.filter(({ options }) => options.access !== 'page' && options.undocumented !== true);
  expect(documented.length).toBeGreaterThan(60);
  for (const { method, path, options } of documented) {
    const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(operation?.summary, `${method} ${path}`).toBe(options.summary);
  }
  expect(document.paths['/api/v1/timelines/home']?.['get']?.parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['max_id', 'since_id', 'min_id', 'limit']),
  );
});

test('the interface can be browsed on a page without scripts', async () => {
  await using server = await startServer();
  const page = await server.anonymous.get('/api/docs');
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.text).toContain('/api/v1/statuses/:id/context');
  expect(page.text).not.toContain('<script');
});

test('a process says that it lives, and whether it can serve', async () => {
  await using server = await startServer();
  expect((await server.anonymous.get('/health')).text).toBe('OK');
  expect(await server.anonymous.get('/health/ready')).toMatchObject({ status: 200, text: 'OK' });
  await server.app.pool.end();
  expect((await server.anonymous.get('/health/ready')).status).toBe(503);
});
