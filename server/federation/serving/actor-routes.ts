import { Type } from 'typebox';
import { redirect, type HttpResponse } from '../../platform/http/http-response.ts';
import { get, routeOptions, type RequestContext, type Route } from '../../platform/http/routes.ts';
import { profileUrl, instanceActorName, isInstanceActorName } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { actorDocument } from '../documents/actor-document.ts';
import { actorContext } from '../documents/contexts.ts';
import { activityResponse } from './activity-response.ts';
import { requireLocalActor } from './local-actor.ts';
import { wantsActivity } from './negotiation.ts';
import { assertSignedFetch } from './signer.ts';
import { forReaders } from './for-servers.ts';

const username = Type.Object({ username: Type.String() });

const actor = get('/users/:username', {
  summary: 'Get an actor',
  ...forReaders,
  params: username,
  async handle({ app, params, request }) {
    if (!wantsActivity(request))
      return redirect(profileUrl(app, (await requireLocalActor(app, params.username)).username));
    await assertMayFetch(app, request, params.username);
    return actorResponse(app, params.username);
  },
});

/** Public even if documents require signed requests, because other servers need its key to verify signatures. */
const instanceActor = get('/actor', {
  summary: 'Get the instance actor',
  ...forReaders,
  handle: ({ app }) => actorResponse(app, instanceActorName(app)),
});

/** The document at the address of the key, which it contains. GoToSocial names keys like this. */
const actorKey = get('/users/:username/main-key', {
  summary: 'Get an actor by its key',
  ...forReaders,
  params: username,
  async handle({ app, params, request }) {
    await assertMayFetch(app, request, params.username);
    return actorResponse(app, params.username);
  },
});

/** The document at an address of its own, for clients that cannot set the header Accept. */
const actorFile = routeOptions({
  summary: 'Get an actor as JSON',
  ...forReaders,
  params: username,
  async handle({ app, params, request }) {
    await assertSignedFetch(app, request);
    return actorResponse(app, params.username);
  },
});

export const actorRoutes: readonly Route[] = [
  actor,
  actorKey,
  get('/users/:username.json', actorFile),
  get('/@:username.json', actorFile),
  instanceActor,
];

/** Throws 401 or 403 if documents require signed requests. That of the instance actor, which signs such requests, is public. */
async function assertMayFetch(app: App, request: RequestContext, name: string): Promise<void> {
  if (!isInstanceActorName(app, name)) await assertSignedFetch(app, request);
}

async function actorResponse(app: App, name: string): Promise<HttpResponse> {
  const account = await requireLocalActor(app, name);
  return activityResponse(app, await actorDocument(app, account), { context: actorContext });
}

/**
 * Returns the actor document for a request of the profile page that accepts ActivityPub; undefined for other requests.
 */
export async function negotiateActor(
  app: App,
  request: RequestContext,
  name: string,
): Promise<HttpResponse | undefined> {
  if (!wantsActivity(request)) return undefined;
  await assertSignedFetch(app, request);
  return actorResponse(app, name);
}
