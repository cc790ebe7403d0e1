import type { App } from '../../platform/app.ts';
import type { Answer } from '../../platform/http/answers.ts';
import type { RequestFacts } from '../../platform/http/routes.ts';
import { activityAnswer } from './answers.ts';
import { wantsActivity } from './negotiation.ts';
import { checkSigner } from './signer.ts';

/**
 * Returns the collection of a hashtag for a request that asks for ActivityPub; undefined for a browser. It lists no items
 * (reference/endpoints.tsv). Throws 401 where only signed requests are answered.
 */
export async function tagAtPage(app: App, request: RequestFacts, name: string): Promise<Answer | undefined> {
  if (!wantsActivity(request)) return undefined;
  await checkSigner(app, request);
  return activityAnswer(app, {
    id: `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`,
    type: 'OrderedCollection',
  });
}
