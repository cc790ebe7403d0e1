import type { AccountId, Id, RowId } from '../platform/ids.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export type BookmarkFolderId = Id<'bookmark-folder'>;

export interface BookmarkTables {
  bookmark_folders: {
    id: BookmarkFolderId;
    account_id: AccountId;
    name: string;
    /** Folders are listed by position and id. Positions may have gaps. */
    position: number;
    created_at: Date;
  };
  bookmark_folder_items: { folder_id: BookmarkFolderId; bookmark_id: RowId };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<BookmarkTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends BookmarkTables {}
}
