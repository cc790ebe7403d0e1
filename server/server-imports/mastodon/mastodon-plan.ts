import type { DescribedTables } from '../describe-tables.ts';
import type { ImportPlan, RemotePosts } from '../table-import.ts';
import { accountTables } from './accounts.ts';
import { announcementTables, cardTables } from './announcements.ts';
import { identityTable } from './identities.ts';
import { collectionTables } from './collections.ts';
import { emojiTables, mediaTables } from './media.ts';
import { mastodonNotTaken } from './not-taken.ts';
import { personalTables } from './personal.ts';
import { relationshipTables } from './relationships.ts';
import { localKeyTable, type PrivateKeys } from './private-keys.ts';
import { reviewTables } from './reviews.ts';
import { scheduledTable } from './scheduled.ts';
import { secondFactorTables, type OtpSecrets } from './second-factors.ts';
import { settingsTable } from './settings.ts';
import type { SiteAddress } from './site-address.ts';
import { siteImageTable } from './site-images.ts';
import { siteTables, staffTables } from './staff.ts';
import { statusTables } from './statuses.ts';
import { subscriptionTables } from './subscriptions.ts';
import { tagTables } from './tags.ts';
import { passkeyTable, pushTable, userTables } from './users.ts';

export interface MastodonOptions {
  readonly site: Omit<SiteAddress, 'hasNumericActors'>;
  readonly remote: RemotePosts;
  readonly otpSecrets: OtpSecrets;
  readonly privateKeys: PrivateKeys;
  /** Of its OpenID Connect provider. */
  readonly issuer: string | undefined;
  /** Encrypts an access token for its push subscription. */
  readonly sealToken: (tokenId: string, token: string) => Promise<Buffer | undefined>;
}

/** Returns what is imported from a Mastodon with these tables, in the order of foreign keys. */
export function mastodonPlan(
  source: DescribedTables,
  { site: address, remote, otpSecrets, privateKeys, issuer, sealToken }: MastodonOptions,
): ImportPlan {
  const hasNumericActors = source.get('accounts')?.types.has('id_scheme') === true;
  const site: SiteAddress = { ...address, hasNumericActors };
  const hasTable = (name: string): boolean => source.has(name);
  return {
    source: 'mastodon',
    tables: [
      ...accountTables(site, remote, hasTable),
      localKeyTable(site, privateKeys),
      ...emojiTables,
      ...userTables(site),
      pushTable(sealToken),
      passkeyTable,
      identityTable(issuer),
      ...secondFactorTables(otpSecrets),
      ...relationshipTables,
      ...tagTables,
      ...statusTables(site, remote, hasTable),
      ...mediaTables,
      ...cardTables,
      ...reviewTables,
      ...collectionTables(site),
      scheduledTable,
      ...staffTables(hasTable),
      ...personalTables(hasTable),
      ...subscriptionTables,
      ...siteTables,
      siteImageTable,
      ...announcementTables(site),
      settingsTable(site),
    ],
    notTaken: mastodonNotTaken,
  };
}
