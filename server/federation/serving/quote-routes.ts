import { Type } from 'typebox';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type RequestContext, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { QuoteId } from '../../quotes/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { quoteContext } from '../documents/contexts.ts';
import { quoteAuthorization } from '../documents/quote-documents.ts';
import { findQuoteDetails } from '../quote-details.ts';
import { activityResponse } from './activity-response.ts';
import { assertReadable, requireAuthor, requireCachedStatus } from './reader.ts';
import { forReaders } from './for-servers.ts';

/**
 * Returns the authorization of a quote by a local account. Throws 404 if it does not exist or was revoked, or if the
 * sender of the request may not see the local post that quotes. The server of a remote one decides itself who gets its
 * id.
 */
async function authorizationResponse(
  app: App,
  request: RequestContext,
  { author, id }: { author: AccountRow; id: QuoteId },
): Promise<HttpResponse> {
  const quotation = await findQuoteDetails(app.db, id);
  if (quotation?.state !== 'accepted' || quotation.quotedAccountId !== author.id) throw notFound();
  if (!isPublicOrUnlisted(quotation.quotedVisibility)) throw notFound();
  const quoting = await requireCachedStatus(app, quotation.statusId);
  if (quoting.local) await assertReadable(app, request, quoting);
  // Not cacheable, because it can be revoked at any time.
  return activityResponse(app, quoteAuthorization(id, quotation), { context: quoteContext, open: false });
}

const authorization = get('/users/:username/quote_authorizations/:id', {
  summary: 'Get the authorization of a quote',
  ...forReaders,
  params: Type.Object({ username: Type.String(), id: idSchema<'quote'>() }),
  async handle({ app, params, request }) {
    const author = await requireAuthor(app, request, params.username);
    return authorizationResponse(app, request, { author, id: params.id });
  },
});

export const quoteAuthorizationRoutes: readonly Route[] = [authorization];
