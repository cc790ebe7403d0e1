import { Type } from 'typebox';
import { get, type Route } from '../platform/http/routes.ts';
import { Announcement } from './schema.ts';

export const routes: readonly Route[] = [
  // Any user token will do, whatever its scopes (reference/endpoints.tsv).
  get('/api/v1/announcements', {
    summary: 'The announcements of the staff; none, since they cannot publish any yet',
    access: 'user',
    input: Type.Object({
      with_dismissed: Type.Optional(Type.Boolean({ description: 'Has no effect: dismissed ones are listed too' })),
    }),
    response: Type.Array(Announcement),
    handle: () => [],
  }),
];
