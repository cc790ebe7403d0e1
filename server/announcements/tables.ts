import type { EmojiId } from '../emojis/index.ts';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, Id, StatusId } from '../platform/ids.ts';

export type AnnouncementId = Id<'announcement'>;

export interface AnnouncementTables {
  announcements: {
    id: AnnouncementId;
    /** As typed. */
    text: string;
    /** Safe HTML. */
    content: string;
    mentioned_ids: AccountId[];
    tag_names: string[];
    /** Public posts that the text links to. */
    status_ids: StatusId[];
    starts_at: Date | null;
    ends_at: Date | null;
    all_day: boolean;
    /** Not published before this time, nor before its start. */
    scheduled_at: Date | null;
    /** Staff have not published it, or withdrew it. */
    draft: boolean;
    /** Null: it is not visible. */
    published_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  announcement_dismissals: { account_id: AccountId; announcement_id: AnnouncementId };
  /** How many accounts reacted with each emoji. Without a row, none did. */
  announcement_reaction_counts: {
    announcement_id: AnnouncementId;
    /** A Unicode emoji, or the shortcode of a custom one. */
    name: string;
    custom_emoji_id: EmojiId | null;
    count: number;
    /** Reactions are listed in this order. */
    created_at: Date;
  };
  announcement_reactions: { account_id: AccountId; announcement_id: AnnouncementId; name: string };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<AnnouncementTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends AnnouncementTables {}
}
