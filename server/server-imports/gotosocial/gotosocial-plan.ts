import { sanitizeArticle } from '../../text/index.ts';
import type { ImportPlan, RemotePosts } from '../table-import.ts';
import { accountTables, type SiteAddress } from './accounts.ts';
import { auditTable, domainListTable, interactionRequestTable } from './interaction-requests.ts';
import { emojiTables, mediaTables } from './media.ts';
import { personalTables, siteTable, staffTables } from './personal.ts';
import { relationshipTables, tagTables } from './relationships.ts';
import { statusTables } from './statuses.ts';
import { identityTable, pushTable, userTables } from './users.ts';

export interface GotosocialOptions {
  readonly site: SiteAddress;
  readonly remote: RemotePosts;
  /** Of its OpenID Connect provider. */
  readonly issuer: string | undefined;
  /** Encrypts an access token for its push subscription. */
  readonly sealToken: (tokenId: string, token: string) => Promise<Buffer | undefined>;
}

/** Returns what is imported from the copy of a GoToSocial, in the order of foreign keys. */
export const gotosocialPlan = ({ site, remote, issuer, sealToken }: GotosocialOptions): ImportPlan => ({
  source: 'gotosocial',
  tables: [
    ...accountTables(site, remote),
    ...emojiTables,
    ...userTables,
    identityTable(issuer),
    pushTable(sealToken),
    ...relationshipTables,
    ...tagTables,
    ...statusTables(site, remote),
    ...mediaTables,
    interactionRequestTable,
    ...staffTables,
    auditTable,
    domainListTable,
    ...personalTables,
    siteTable(site.webDomain, (html) => sanitizeArticle(html, site.baseUrl).html),
  ],
  notTaken: [],
});
