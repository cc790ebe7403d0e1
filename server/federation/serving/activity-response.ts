import { HttpResponse } from '../../platform/http/http-response.ts';
import { corsHeaders } from '../../platform/http/response-headers.ts';
import { withContext } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import type { App } from '../../platform/app.ts';
import { requiresSignedFetch } from '../domain-policy.ts';

/** Returns a document as an ActivityPub response. `open`: public, so that caches may store it for three minutes. */
export function activityResponse(
  app: App,
  document: Json,
  { context, open = true, status = 200 }: { context?: unknown; open?: boolean; status?: number } = {},
): HttpResponse {
  const isOpen = open && !requiresSignedFetch(app);
  return new HttpResponse({
    status,
    text: JSON.stringify(withContext(document, context)),
    headers: {
      // Also on the addresses of pages, which have no CORS headers: a document is the same for every visitor.
      ...corsHeaders,
      'content-type': 'application/activity+json; charset=utf-8',
      'cache-control': isOpen ? 'public, max-age=180' : 'private, no-store',
      vary: isOpen ? 'Accept' : 'Accept, Signature',
    },
  });
}
