import { Type } from 'typebox';
import { get, type Route } from '../platform/http/routes.ts';
import { Announcement } from './schema.ts';

export const routes: readonly Route[] = [
  // Needs a user token, but no scope (reference/endpoints.tsv).
  get('/api/v1/announcements', {
    summary: 'List announcements (empty: there is no way to publish any yet)',
    access: 'user',
    input: Type.Object({
      with_dismissed: Type.Optional(
        Type.Boolean({ description: 'No effect: dismissed announcements are included anyway' }),
      ),
    }),
    response: Type.Array(Announcement),
    handle: () => [],
  }),
];
