import { Type } from 'typebox';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { get, type RequestContext, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { acceptInteraction, interactionAuthorization } from '../documents/approval-documents.ts';
import { interactionContext } from '../documents/contexts.ts';
import type { Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { findRequestedInteraction, type RequestedInteraction } from '../interaction-details.ts';
import { activityResponse } from './activity-response.ts';
import { assertReadable, requireAuthor, requireCachedStatus } from './reader.ts';
import { forReaders } from './for-servers.ts';

/**
 * Returns an accepted interaction with a post of a local account, which every server or the account that signed the request may
 * see. Throws 404 for others.
 */
async function requireReadable(
  app: App,
  request: RequestContext,
  username: string,
  keyOf: (author: AccountRow) => Parameters<typeof findRequestedInteraction>[1],
): Promise<RequestedInteraction> {
  const author = await requireAuthor(app, request, username);
  const interaction = await findRequestedInteraction(app.db, keyOf(author));
  if (interaction?.state !== 'accepted' || interaction.authorId !== author.id) throw notFound();
  await assertReadable(app, request, await requireCachedStatus(app, interaction.statusId));
  const own = await findStatusByUri(app, interaction.uri);
  if (own?.local === true) await assertReadable(app, request, await requireCachedStatus(app, own.id));
  return interaction;
}

/** Not cacheable, because it ends with the interaction. */
const respond = (app: App, document: Json): HttpResponse =>
  activityResponse(app, document, { context: interactionContext, open: false });

const authorization = get('/users/:username/interaction_authorizations/:id', {
  summary: 'Get the authorization of a reply, favourite or reblog',
  ...forReaders,
  params: Type.Object({ username: Type.String(), id: idSchema<'interaction-request'>() }),
  async handle({ app, params: { username, id }, request }) {
    return respond(app, interactionAuthorization(await requireReadable(app, request, username, () => ({ id }))));
  },
});

const formerParams = Type.Object({ username: Type.String(), ulid: Type.String() });

/** The id of an authorization by GoToSocial, which ends like that of its Accept. */
const formerKey =
  (ulid: string) =>
  ({ uri }: AccountRow) => ({ authorizationUri: `${uri}/authorizations/${ulid}` });

const formerAuthorization = get('/users/:username/authorizations/:ulid', {
  summary: 'Get an authorization from before the server moved here from GoToSocial',
  ...forReaders,
  params: formerParams,
  async handle({ app, params: { username, ulid }, request }) {
    return respond(app, interactionAuthorization(await requireReadable(app, request, username, formerKey(ulid))));
  },
});

const formerAccept = get('/users/:username/accepts/:ulid', {
  summary: 'Get an Accept from before the server moved here from GoToSocial',
  ...forReaders,
  params: formerParams,
  async handle({ app, params: { username, ulid }, request }) {
    const interaction = await requireReadable(app, request, username, formerKey(ulid));
    return respond(app, { ...acceptInteraction(interaction), id: `${interaction.author}/accepts/${ulid}` });
  },
});

export const interactionAuthorizationRoutes: readonly Route[] = [authorization, formerAuthorization, formerAccept];
