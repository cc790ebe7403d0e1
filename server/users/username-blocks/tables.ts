import type { Selectable } from 'kysely';
import { writableTables } from '../../platform/database/writable-tables.ts';
import type { Id } from '../../platform/ids.ts';

export type UsernameBlockId = Id<'username-block'>;

export interface UsernameBlockTables {
  /** Usernames that staff block for sign-ups and groups. */
  username_blocks: {
    id: UsernameBlockId;
    /** In lower case. */
    username: string;
    /** See `normalizeUsername`. */
    normalized_username: string;
    /** Only this name, not those that contain it. */
    exact: boolean;
    /** Sign-ups are not refused, but wait for approval. */
    allow_with_approval: boolean;
    created_at: Date;
    updated_at: Date;
  };
}

export type UsernameBlockRow = Selectable<UsernameBlockTables['username_blocks']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<UsernameBlockTables>();

declare module '../../platform/database/tables.ts' {
  interface Tables extends UsernameBlockTables {}
}
