import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { Id } from '../platform/ids.ts';

export type EmojiId = Id<'emoji'>;

export interface EmojiTables {
  custom_emojis: {
    id: EmojiId;
    /** Without colons. */
    shortcode: string;
    /** Of the accounts that may use it; null: local. */
    domain: string | null;
    /** Storage keys of the image and its still version; local emojis only. */
    image_key: string | null;
    static_key: string | null;
    /** URL of a remote emoji's image. */
    remote_url: string | null;
    category: string | null;
    visible_in_picker: Generated<boolean>;
    disabled: Generated<boolean>;
    created_at: Date;
    /** When its image last changed, according to its server. */
    updated_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<EmojiTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends EmojiTables {}
}
