import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, Id, StatusId } from '../platform/ids.ts';

export type CardId = Id<'card'>;
export type CardType = 'link' | 'photo' | 'video' | 'rich';
/** Whether a page is an article; for trends. */
export type LinkType = 'article' | 'unknown';

export interface CardTables {
  preview_cards: {
    id: CardId;
    /** URL of the page after redirects; see `normalizeLink`. */
    url: string;
    type: CardType;
    link_type: LinkType;
    title: string;
    description: string;
    author_name: string;
    author_url: string;
    provider_name: string;
    provider_url: string;
    /** An `iframe` built by `buildPlayer`, or empty. */
    html: string;
    embed_url: string;
    /** Pixels; 0: unknown. */
    width: number;
    height: number;
    image_url: string | null;
    image_description: string;
    language: string | null;
    published_at: Date | null;
    /** Handle of the page's author (`fediverse:creator`). */
    creator: string | null;
    /** The account of `creator`, whether or not it allows the attribution. */
    creator_account_id: AccountId | null;
    created_at: Date;
    updated_at: Date;
  };
  /** Links in posts. */
  card_links: {
    url: string;
    /** Null: no card. */
    card_id: CardId | null;
    read_at: Date;
    next_read_at: Date;
    /** Consecutive attempts without a response. */
    failures: Generated<number>;
  };
  status_cards: {
    status_id: StatusId;
    card_id: CardId;
    /** The link as written in the post. */
    url: string;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<CardTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends CardTables {}
}
