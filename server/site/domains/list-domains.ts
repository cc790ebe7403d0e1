import type { App } from '../../platform/app.ts';
import type { DomainAllowRow, DomainBlockRow } from '../tables.ts';

/** Lists every domain block, in the order of the domains. */
export function listBlockedDomains(app: App): Promise<DomainBlockRow[]> {
  return app.db.selectFrom('domain_blocks').selectAll().orderBy('domain').execute();
}

/** Lists every domain that may federate in limited federation mode, in order. */
export function listAllowedDomains(app: App): Promise<DomainAllowRow[]> {
  return app.db.selectFrom('domain_allows').selectAll().orderBy('domain').execute();
}
