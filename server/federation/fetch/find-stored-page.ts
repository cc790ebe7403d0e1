import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { hasAnyAddress } from '../../platform/database/has-address.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';

/**
 * Returns the stored remote status or account with this id or page, in any spelling of the address that its server takes for
 * the same. Checks no visibility and sends no request.
 */
export async function findStoredPage(
  app: App,
  url: string,
): Promise<{ readonly statusId: StatusId } | { readonly accountId: AccountId } | undefined> {
  const spellings = spellingsOf(url);
  const statuses = await sql<{ statusId: StatusId }>`
    select id as "statusId" from statuses
    where (${hasAnyAddress('statuses.uri', spellings)} or url = any(${spellings}::text[]))
      and not local and reblog_of_id is null and deleted_at is null
    order by url = ${url} desc nulls last, id desc limit 1`.execute(app.db);
  if (statuses.rows[0] !== undefined) return statuses.rows[0];
  const accounts = await sql<{ accountId: AccountId }>`
    select id as "accountId" from accounts
    where (uri = any(${spellings}::text[]) or url = any(${spellings}::text[]))
      and domain is not null and deleted_at is null
    order by url = ${url} desc nulls last, id desc limit 1`.execute(app.db);
  return accounts.rows[0];
}

/** Returns an address with and without a slash at its end, with both schemes, and without a fragment. */
function spellingsOf(url: string): string[] {
  const { host, pathname, search } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  const paths = search === '' ? [path, `${path}/`] : [pathname + search];
  const plain = ['https:', 'http:'].flatMap((scheme) => paths.map((each) => `${scheme}//${host}${each}`));
  return [...new Set([url, ...plain])];
}
