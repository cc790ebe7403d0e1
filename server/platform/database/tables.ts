import type { AccountTables } from '../../accounts/tables.ts';
import type { CardTables } from '../../cards/tables.ts';
import type { CollectionTables } from '../../collections/tables.ts';
import type { ConversationTables } from '../../conversations/tables.ts';
import type { EmojiTables } from '../../emojis/tables.ts';
import type { FederationTables } from '../../federation/tables.ts';
import type { ListTables } from '../../lists/tables.ts';
import type { MediaTables } from '../../media/tables.ts';
import type { NotificationTables } from '../../notifications/tables.ts';
import type { OauthTables } from '../../oauth/tables.ts';
import type { PollTables } from '../../polls/tables.ts';
import type { QuoteTables } from '../../quotes/tables.ts';
import type { RelationshipTables } from '../../relationships/tables.ts';
import type { SearchTables } from '../../search/tables.ts';
import type { SiteTables } from '../../site/tables.ts';
import type { StatusTables } from '../../statuses/tables.ts';
import type { TagTables } from '../../tags/tables.ts';
import type { TimelineTables } from '../../timelines/tables.ts';
import type { TranslationTables } from '../../translation/tables.ts';
import type { UserTables } from '../../users/tables.ts';
import type { JobTables } from '../jobs/tables.ts';

/** Every table of the database; each domain lists its own. */
export interface Tables
  extends
    JobTables,
    SearchTables,
    SiteTables,
    AccountTables,
    UserTables,
    OauthTables,
    RelationshipTables,
    TagTables,
    CollectionTables,
    MediaTables,
    EmojiTables,
    CardTables,
    PollTables,
    QuoteTables,
    StatusTables,
    ConversationTables,
    ListTables,
    TimelineTables,
    NotificationTables,
    TranslationTables,
    FederationTables {}
