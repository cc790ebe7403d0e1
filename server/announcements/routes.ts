import { Type } from 'typebox';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { adminRoutes } from './admin-routes.ts';
import { dismissAnnouncement } from './dismiss-announcement.ts';
import { presentPublishedAnnouncements } from './present-announcements.ts';
import { addReaction, removeReaction } from './react-to-announcement.ts';
import { Announcement } from './schema.ts';

const params = Type.Object({ id: idSchema<'announcement'>() });
const reactionParams = Type.Object({
  id: idSchema<'announcement'>(),
  name: Type.String({ description: 'A Unicode emoji, or the shortcode of a custom emoji' }),
});
const emptyObject = Type.Object({});

export const routes: readonly Route[] = [
  // Needs a user token, but no scope (reference/endpoints.tsv).
  get('/api/v1/announcements', {
    summary: 'List the published announcements',
    hasEtag: true,
    access: 'user',
    input: Type.Object({
      with_dismissed: Type.Optional(Type.Boolean({ description: 'Includes announcements that the viewer dismissed' })),
    }),
    response: Type.Array(Announcement),
    handle: ({ app, viewer, input }) =>
      presentPublishedAnnouncements(app, viewer, { withDismissed: input.with_dismissed === true }),
  }),
  post('/api/v1/announcements/:id/dismiss', {
    summary: 'Dismiss an announcement',
    access: 'user',
    scope: 'write|write:accounts',
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await dismissAnnouncement(app, viewer.accountId, id);
      return {};
    },
  }),
  put('/api/v1/announcements/:id/reactions/:name', {
    summary: 'React to an announcement with an emoji',
    access: 'user',
    scope: 'write|write:favourites',
    params: reactionParams,
    response: emptyObject,
    async handle({ app, viewer, params: { id, name } }) {
      await addReaction(app, viewer.accountId, id, name);
      return {};
    },
  }),
  del('/api/v1/announcements/:id/reactions/:name', {
    summary: 'Remove a reaction to an announcement',
    access: 'user',
    scope: 'write|write:favourites',
    params: reactionParams,
    response: emptyObject,
    async handle({ app, viewer, params: { id, name } }) {
      await removeReaction(app, viewer.accountId, id, name);
      return {};
    },
  }),
  ...adminRoutes,
];
