import { Type } from 'typebox';
import type { InteractionRequestId } from '../../interactions/requests/index.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { interactionAuthorization } from '../documents/approval-documents.ts';
import { interactionContext } from '../documents/contexts.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { findRequestedInteraction } from '../interaction-details.ts';
import { activityResponse } from './activity-response.ts';
import { assertReadable, requireAuthor, requireCachedStatus } from './reader.ts';
import { forReaders } from './for-servers.ts';

const authorization = get('/users/:username/interaction_authorizations/:id', {
  summary: 'Get the authorization of a reply, favourite or reblog',
  ...forReaders,
  params: Type.Object({ username: Type.String(), id: idSchema<'interaction-request'>() }),
  async handle({ app, params, request }) {
    const author = await requireAuthor(app, request, params.username);
    const interaction = await findRequestedInteraction(app.db, params.id satisfies InteractionRequestId);
    if (interaction?.state !== 'accepted' || interaction.authorId !== author.id) throw notFound();
    await assertReadable(app, request, await requireCachedStatus(app, interaction.statusId));
    const own = await findStatusByUri(app, interaction.uri);
    if (own?.local === true) await assertReadable(app, request, await requireCachedStatus(app, own.id));
    // Not cacheable, because it ends with the interaction.
    return activityResponse(app, interactionAuthorization(interaction), { context: interactionContext, open: false });
  },
});

export const interactionAuthorizationRoutes: readonly Route[] = [authorization];
