import type { Generated } from 'kysely';
import type { Id } from '../platform/ids.ts';

export type EmojiId = Id<'emoji'>;

export interface EmojiTables {
  custom_emojis: {
    id: EmojiId;
    /** Without colons. */
    shortcode: string;
    /** Of the people who may use it; null: of this server. */
    domain: string | null;
    /** Storage keys of the picture and of its still version; this server's only. */
    image_key: string | null;
    static_key: string | null;
    /** Where the picture of another server's is. */
    remote_url: string | null;
    category: string | null;
    visible_in_picker: Generated<boolean>;
    disabled: Generated<boolean>;
    created_at: Date;
    /** When its picture last changed, as its own server says. */
    updated_at: Date;
  };
}
