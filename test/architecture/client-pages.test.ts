import { expect, test } from 'vitest';
import { liveRoutes } from '../../server/pages/public/live-routes.ts';
import { clientRoutes } from '../../server/pages/web/client-routes.ts';
import { isClientPage } from '../../web/src/offline/client-pages.ts';

const opens = (path: string): boolean => isClientPage(new URL(path, 'https://server.example'));

test('every path of the client opens without a connection', () => {
  const paths = [...clientRoutes, ...liveRoutes].map(({ path }) =>
    path.replaceAll(':username', 'alice').replaceAll(/:\w+/g, '12'),
  );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !opens(path))).toEqual([]);
});

test.each(['/', '/@alice', '/@bob@remote.example', '/@alice/12', '/@bob@remote.example/12', '/tags/birds'])(
  'the client opens %s, which is also a page',
  (path) => expect(opens(path)).toBe(true),
);

test.each([
  '/?view=page',
  '/about',
  '/auth/sign_in',
  '/settings/migration',
  '/@alice.rss',
  '/tags/birds.rss',
  '/@alice/12/embed',
  '/api/v1/instance',
  '/homes',
])('%s is left to the server', (path) => expect(opens(path)).toBe(false));
