import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { activityResponse } from './activity-response.ts';
import { wantsActivity } from './negotiation.ts';
import { assertSignedFetch } from './signer.ts';

/**
 * Returns the collection of a hashtag for a request that accepts ActivityPub; undefined for a browser. It lists no
 * items (reference/endpoints.tsv). Throws 401 if documents require signed requests.
 */
export async function negotiateTag(app: App, request: RequestContext, name: string): Promise<HttpResponse | undefined> {
  if (!wantsActivity(request)) return undefined;
  await assertSignedFetch(app, request);
  return activityResponse(app, {
    id: `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`,
    type: 'OrderedCollection',
  });
}
