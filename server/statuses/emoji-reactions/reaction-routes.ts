import { Type } from 'typebox';
import { post } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import { presentStatus } from '../read/present-statuses.ts';
import { Status } from '../schema.ts';
import { reactWithEmoji, undoReaction } from './react-with-emoji.ts';

const action = {
  access: 'user',
  scope: 'write|write:favourites',
  params: Type.Object({ id: idSchema<'status'>(), name: Type.String() }),
  response: Status,
} as const;

export const emojiReactionRoutes = [
  post('/api/v1/statuses/:id/react/:name', {
    summary: 'React to a status with a Unicode emoji or the shortcode of a local custom one',
    ...action,
    async handle({ app, viewer, params: { id, name } }) {
      await reactWithEmoji(app, viewer.accountId, id, name);
      return presentStatus(app, viewer, id);
    },
  }),

  post('/api/v1/statuses/:id/unreact/:name', {
    summary: 'Undo a reaction to a status',
    ...action,
    async handle({ app, viewer, params: { id, name } }) {
      await undoReaction(app, viewer.accountId, id, name);
      await requireVisibleStatus(app, viewer.accountId, id);
      return presentStatus(app, viewer, id);
    },
  }),
];
