import { Type } from 'typebox';
import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import type { QuoteId } from '../../quotes/index.ts';
import { isPublicOrUnlisted } from '../../statuses/index.ts';
import { quoteContext } from '../documents/contexts.ts';
import { quoteAuthorization } from '../documents/quote-documents.ts';
import { findQuoteDetails } from '../quote-details.ts';
import { activityResponse } from './activity-response.ts';
import { requireAuthor } from './reader.ts';

/** The proof that an account here lets a post quote one of its own; 404 when it does not (any more). */
async function authorizationResponse(app: App, author: AccountRow, id: QuoteId): Promise<HttpResponse> {
  const quotation = await findQuoteDetails(app.db, id);
  if (quotation?.state !== 'accepted' || quotation.quotedAccountId !== author.id) throw notFound();
  const { quotedVisibility: visibility } = quotation;
  if (!isPublicOrUnlisted(visibility)) throw notFound();
  // It may be taken back at any moment: nobody keeps it.
  return activityResponse(app, quoteAuthorization(id, quotation), { context: quoteContext, open: false });
}

const authorization = get('/users/:username/quote_authorizations/:id', {
  summary: 'The proof that a post may quote another',
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
