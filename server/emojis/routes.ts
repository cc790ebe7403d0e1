import { Type } from 'typebox';
import { HttpResponse } from '../platform/http/http-response.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { listEmojis } from './present-emojis.ts';
import { ListedEmoji } from './schema.ts';

/** The same for every viewer (reference/endpoints.tsv). */
const publicCacheHeaders = { 'cache-control': 'public, max-age=300, stale-while-revalidate=30, stale-if-error=86400' };

export const routes: readonly Route[] = [
  get('/api/v1/custom_emojis', {
    summary: 'List the local custom emojis',
    hasEtag: true,
    access: 'anyone',
    response: Type.Array(ListedEmoji),
    async handle({ app }) {
      // Limited federation shows nothing to anonymous viewers, so no shared cache may store it.
      const headers = app.config.LIMITED_FEDERATION ? {} : publicCacheHeaders;
      return new HttpResponse({ json: await listEmojis(app), headers });
    },
  }),
];
