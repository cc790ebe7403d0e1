import Negotiator from 'negotiator';
import type { App } from '../platform/app.ts';
import type { CurrentUser, RequestContext } from '../platform/http/routes.ts';
import { loadUserSettings } from '../users/settings/index.ts';
import { findLanguage } from '../text/languages/index.ts';
import { primarySubtag } from './find-trends.ts';

/** Returns the languages of a viewer as primary subtags: of their settings, or the Accept-Language header. */
export async function preferredLanguages(
  app: App,
  viewer: CurrentUser | undefined,
  request: RequestContext,
): Promise<ReadonlySet<string>> {
  if (viewer !== undefined) return new Set([primarySubtag((await loadUserSettings(app, viewer.accountId)).locale)]);
  return new Set(new Negotiator(request as never).languages().map((tag) => primarySubtag(findLanguage(tag) ?? tag)));
}
