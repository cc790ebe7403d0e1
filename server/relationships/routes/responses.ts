import { presentAccountsFor } from '../read/present-accounts-for.ts';
import type { App } from '../../platform/app.ts';
import { type HttpResponse, joinJsonList, type JsonText } from '../../platform/http/http-response.ts';
import { paginated, type Page } from '../../platform/http/pages.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RequestContext, CurrentUser } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ListedAccount } from '../read/list-relations.ts';
import { presentRelationships } from '../read/present-relationships.ts';
import type { Relationship } from '../schema.ts';

/** Returns the viewer's relationship to an account. Throws 404 for an unknown account. */
export async function presentRelationship(app: App, viewer: CurrentUser, id: AccountId): Promise<Relationship> {
  const [relationship] = await presentRelationships(app, viewer.accountId, [id]);
  if (relationship === undefined) throw notFound();
  return relationship;
}

/** Responds with the accounts of these rows. The links page by the ids of the rows (BLK-02). */
export async function respondWithAccounts(
  app: App,
  request: RequestContext,
  page: Page,
  { rows, viewer }: { rows: readonly ListedAccount[]; viewer: Pick<CurrentUser, 'accountId'> | undefined },
): Promise<HttpResponse> {
  const json = joinJsonList(
    await presentAccountsFor(
      app,
      viewer,
      rows.map(({ accountId }) => accountId),
    ),
  );
  return respondWithPage(app, request, page, { rows, json });
}

/** Responds with a page whose links page by the ids of its rows. */
export function respondWithPage(
  app: App,
  request: RequestContext,
  page: Page,
  { rows, json }: { rows: readonly { readonly id: string }[]; json: JsonText<unknown> | readonly unknown[] },
): HttpResponse {
  return paginated(app, request, {
    json,
    first: rows[0]?.id,
    last: rows.at(-1)?.id,
    more: rows.length >= page.limit,
    newer: 'since_id',
  });
}
