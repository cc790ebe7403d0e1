import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';

/** Lists the domains that have accounts, with their ports. Skips through the index by domain. */
export async function listKnownDomains(app: App): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    with recursive known (domain) as (
      select min(domain) from accounts where domain is not null
      union all
      select (select min(a.domain) from accounts a where a.domain > known.domain) from known where known.domain is not null
    )
    select domain from known where domain is not null`.execute(app.db);
  return rows.map(({ domain }) => domain);
}
