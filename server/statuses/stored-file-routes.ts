import { Type } from 'typebox';
import { answerFile, forGood, privatelyForGood } from '../media/index.ts';
import { notFound } from '../platform/http/problems.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { accessTo } from './stored-file-access.ts';

/** Stored files. Whoever may see a status may fetch its files, so the route is here. */
export const storedFileRoutes: Route[] = [
  get('/media/*', {
    summary: 'A stored file',
    access: 'page',
    rateLimit: 'none',
    undocumented: true,
    params: Type.Object({ '*': Type.String() }),
    response: Type.Any(),
    handle: async ({ app, params: { '*': key }, request }) => {
      const access = await accessTo(app, key);
      if (access === 'nobody') throw notFound();
      return answerFile(app.storage, key, request, access === 'everybody' ? forGood : privatelyForGood);
    },
  }),
];
