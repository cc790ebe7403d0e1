import type { AccountId, Id, RowId } from '../platform/ids.ts';

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

declare module '../platform/database/tables.ts' {
  interface Tables extends BookmarkTables {}
}
