import { Type } from 'typebox';
import { HttpResponse, redirect } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, routeOptions, type RequestContext, type Route } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { App } from '../../platform/app.ts';
import { create } from '../documents/activities.ts';
import { announceDocuments } from '../documents/announce-documents.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { loadCachedStatuses, type CachedStatus } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { statusUri, statusUrl } from '../../statuses/post/index.ts';
import { activityResponse } from './activity-response.ts';
import { wantsActivity } from './negotiation.ts';
import { assertReadable, requireAuthor } from './reader.ts';
import { forReaders } from './for-servers.ts';

const params = Type.Object({ username: Type.String(), id: idSchema<'status'>() });

const object = get('/users/:username/statuses/:id', {
  summary: 'Get a post',
  ...forReaders,
  params,
  async handle({ app, params, request }) {
    if (!wantsActivity(request)) return redirect(statusUrl(app, params.username, params.id));
    return objectResponse(app, request, params.username, params.id);
  },
});

const activity = get('/users/:username/statuses/:id/activity', {
  summary: 'Get the Create or Announce activity of a post',
  ...forReaders,
  params,
  async handle({ app, params, request }) {
    const status = await requireReadableStatus(app, request, params.username, params.id);
    if (status instanceof HttpResponse) return status;
    const document =
      status.reblogOfId === null
        ? await createActivityOf(app, status.id)
        : (await announceDocuments(app, [status.id])).get(status.id);
    if (document === undefined) throw notFound();
    return activityResponse(app, document, { context: noteContext, open: isPublicStatus(status) });
  },
});

/** The document at an address of its own, for clients that cannot set the header Accept. */
const objectFile = routeOptions({
  summary: 'Get a post as JSON',
  ...forReaders,
  params,
  handle: ({ app, params: { username, id }, request }) => objectResponse(app, request, username, id),
});

export const objectRoutes: readonly Route[] = [
  object,
  get('/users/:username/statuses/:id.json', objectFile),
  get('/@:username/:id.json', objectFile),
  activity,
];

async function createActivityOf(app: App, id: StatusId) {
  const note = (await noteDocuments(app, [id])).get(id);
  return note && create(note);
}

const isPublicStatus = ({ visibility }: CachedStatus): boolean => isPublicOrUnlisted(visibility);

/** Returns the document for a request of a post's page that accepts ActivityPub; undefined for other requests. */
export async function negotiateObject(
  app: App,
  request: RequestContext,
  username: string,
  id: StatusId,
): Promise<HttpResponse | undefined> {
  return wantsActivity(request) ? objectResponse(app, request, username, id) : undefined;
}

async function objectResponse(
  app: App,
  request: RequestContext,
  username: string,
  id: StatusId,
): Promise<HttpResponse> {
  const status = await requireReadableStatus(app, request, username, id);
  if (status instanceof HttpResponse) return status;
  const note = (await noteDocuments(app, [id])).get(id);
  if (note === undefined) throw notFound();
  return activityResponse(app, note, { context: noteContext, open: isPublicStatus(status) });
}

/**
 * Returns a local status that the sender of the request may see: a public one (signed requests only in secure mode), or
 * another one if the signing account may see it. Throws 404 otherwise. Returns a 410 response if it was deleted.
 */
export async function requireReadableStatus(
  app: App,
  request: RequestContext,
  username: string,
  id: StatusId,
): Promise<CachedStatus | HttpResponse> {
  const author = await requireAuthor(app, request, username);
  const status = (await loadCachedStatuses(app, [id])).get(id);
  if (status === undefined) return tombstoneResponse(app, statusUri(author.uri, id));
  if (status.accountId !== author.id) throw notFound();
  await assertReadable(app, request, status);
  return status;
}

/** Returns a 410 response for a post that was deleted. Throws 404 if there was none. */
export async function tombstoneResponse(app: App, uri: string): Promise<HttpResponse> {
  await app.db
    .selectFrom('tombstones')
    .select('uri')
    .where('uri', '=', uri)
    .executeTakeFirstOrThrow(() => notFound());
  return activityResponse(app, { id: uri, type: 'Tombstone' }, { status: 410 });
}
