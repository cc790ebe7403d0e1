import { Type } from 'typebox';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import type { QuoteId } from '../../quotes/index.ts';
import { isPublicOrUnlisted } from '../../statuses/read/index.ts';
import { quoteContext } from '../documents/contexts.ts';
import { quoteAuthorization } from '../documents/quote-documents.ts';
import { findQuoteDetails } from '../quote-details.ts';
import { activityResponse } from './activity-response.ts';
import { requireAuthor } from './reader.ts';

/** Returns the authorization of a quote by a local account. Throws 404 if it does not exist or was revoked. */
async function authorizationResponse(app: App, author: AccountRow, id: QuoteId): Promise<HttpResponse> {
  const quotation = await findQuoteDetails(app.db, id);
  if (quotation?.state !== 'accepted' || quotation.quotedAccountId !== author.id) throw notFound();
  const { quotedVisibility: visibility } = quotation;
  if (!isPublicOrUnlisted(visibility)) throw notFound();
  // Not cacheable, because it can be revoked at any time.
  return activityResponse(app, quoteAuthorization(id, quotation), { context: quoteContext, open: false });
}

const authorization = get('/users/:username/quote_authorizations/:id', {
  summary: 'Get the authorization of a quote',
  access: 'anyone',
  params: Type.Object({ username: Type.String(), id: idSchema<'quote'>() }),
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params, request }) {
    return authorizationResponse(app, await requireAuthor(app, request, params.username), params.id);
  },
});

export const quoteAuthorizationRoutes: readonly Route[] = [authorization];
