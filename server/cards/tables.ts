import type { Generated } from 'kysely';
import type { AccountId, Id, StatusId } from '../platform/ids.ts';

export type CardId = Id<'card'>;
export type CardType = 'link' | 'photo' | 'video' | 'rich';
/** What trends ask: whether a page is an article, or may be anything. */
export type LinkType = 'article' | 'unknown';

export interface CardTables {
  preview_cards: {
    id: CardId;
    /** Where the page was found, after redirects; see `normalizeLink`. */
    url: string;
    type: CardType;
    link_type: LinkType;
    title: string;
    description: string;
    author_name: string;
    author_url: string;
    provider_name: string;
    provider_url: string;
    /** An `iframe` made here (see `playerFrame`), or empty. */
    html: string;
    embed_url: string;
    /** Pixels; 0 when unknown. */
    width: number;
    height: number;
    image_url: string | null;
    image_description: string;
    language: string | null;
    published_at: Date | null;
    /** Handle that the page names as its author (`fediverse:creator`). */
    creator: string | null;
    /** The account of `creator`, whether or not it lets the page name it. */
    creator_account_id: AccountId | null;
    created_at: Date;
    updated_at: Date;
  };
  /** Every address that posts linked to. */
  card_links: {
    url: string;
    /** Null when there is nothing to show. */
    card_id: CardId | null;
    read_at: Date;
    next_read_at: Date;
    /** Tries in a row that the host did not answer. */
    failures: Generated<number>;
  };
  status_cards: {
    status_id: StatusId;
    card_id: CardId;
    /** As the post links to it. */
    url: string;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends CardTables {}
}
