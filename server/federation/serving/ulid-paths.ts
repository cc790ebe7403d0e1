import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { isId, type StatusId } from '../../platform/ids.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { parseUlidAddress } from '../local-addresses.ts';
import { tombstoneResponse } from './object-routes.ts';

/**
 * Returns these routes of posts. Those at `/users/name/statuses/…` also take a ULID, which posts from before the server moved
 * here from GoToSocial have in their ActivityPub id.
 */
export const withUlids = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => (route.path.startsWith('/users/:username/statuses/:id') ? withUlid(route) : route));

function withUlid({ options, ...route }: Route): Route {
  return {
    ...route,
    options: {
      ...options,
      params: Type.Object({ username: Type.String(), id: Type.String() }),
      async handle(received) {
        const { username, id } = received.params as { readonly username: string; readonly id: string };
        const found = await findStatusId(received.app, username, id);
        if (found instanceof HttpResponse) return found;
        return options.handle({ ...received, params: { username, id: found } });
      },
    },
  };
}

/** Returns the id of a post by it or by its ULID. Throws 404 if there is none, returns a 410 response if it was deleted. */
async function findStatusId(app: App, username: string, id: string): Promise<StatusId | HttpResponse> {
  if (isId(id)) return id;
  const uri = parseUlidAddress(app, `${app.config.baseUrl}/users/${username}/statuses/${id}`);
  if (uri === undefined) throw notFound();
  const status = await findStatusByUri(app, uri);
  return status?.local === true ? status.id : tombstoneResponse(app, uri);
}
