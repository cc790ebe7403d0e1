import type { Generated, JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { ArchiveId, ArchiveProblem, ArchiveState } from './archives/schema.ts';
import type { ImportId, ImportProblem, ImportState, ImportType } from './imports/schema.ts';
import type { ArchivedPost } from './post-imports/reading/archived-post.ts';
import type { PostImportId, PostImportProblem, PostImportState } from './post-imports/schema.ts';

/** What a line asks for besides its target. */
export interface RowOptions {
  /** Of a follow. */
  readonly reblogs?: boolean;
  /** Of a follow. */
  readonly notify?: boolean;
  /** Of a follow. */
  readonly languages?: readonly string[];
  /** Of a mute. */
  readonly notifications?: boolean;
  /** Title of the list that the account is added to. */
  readonly list?: string;
}

export interface AccountDataTables {
  imports: {
    id: ImportId;
    account_id: AccountId;
    type: ImportType;
    /** Whether everything that the file does not list is removed first. */
    overwrite: boolean;
    state: ImportState;
    /** Lines of the file, without repetitions. */
    total: number;
    imported: Generated<number>;
    removed: Generated<number>;
    failed: Generated<number>;
    created_at: Date;
    finished_at: Date | null;
  };
  /** Lines that are not imported yet, and the first that could not be (`maxFailures`). */
  import_rows: {
    import_id: ImportId;
    line: number;
    /** The address of an account in lower case, a domain, or the id of a post. As in the file if it is invalid. */
    target: string;
    options: JSONColumnType<RowOptions, string, string>;
    problem: ImportProblem | null;
  };
  archives: {
    id: ArchiveId;
    account_id: AccountId;
    state: ArchiveState;
    /** Posts of the outbox so far. */
    posts_written: Generated<number>;
    /** Posts and boosts of the account when the archive was begun. */
    posts_total: Generated<number | null>;
    /** How often it was begun. */
    attempts: Generated<number>;
    /** Bytes. */
    size: string | null;
    /** Key of the file; set before it is written, null once it is deleted. */
    storage_key: string | null;
    problem: ArchiveProblem | null;
    requested_at: Date;
    finished_at: Date | null;
    expires_at: Date | null;
  };
  /** Imports of posts from archives of other servers. */
  post_imports: {
    id: PostImportId;
    account_id: AccountId;
    state: PostImportState;
    problem: PostImportProblem | null;
    /** Key of the uploaded file; null once it is deleted. */
    storage_key: string | null;
    /** Address of the server, if the user named it. */
    origin: string | null;
    /** ActivityPub id of the account whose posts they are; null if the file does not name it. */
    actor: string | null;
    with_direct: Generated<boolean>;
    with_bookmarks: Generated<boolean>;
    with_likes: Generated<boolean>;
    /** Posts of the file without direct ones. */
    posts: Generated<number>;
    direct: Generated<number>;
    boosts: Generated<number>;
    /** What cannot be imported. */
    invalid: Generated<number>;
    /** Media files that the posts name. */
    files: Generated<number>;
    bookmarks: Generated<number>;
    likes: Generated<number>;
    imported: Generated<number>;
    /** Posts that were here already. */
    known: Generated<number>;
    missing_files: Generated<number>;
    /** Posts that moderation rules refused. */
    refused: Generated<number>;
    created_at: Date;
    finished_at: Date | null;
  };
  /** Posts that were read and are not added yet. */
  post_import_items: {
    import_id: PostImportId;
    position: number;
    published_at: Date;
    post: JSONColumnType<ArchivedPost, string, string>;
  };
  /** Posts that were added, and whose rows are not deleted. */
  imported_statuses: {
    status_id: StatusId;
    account_id: AccountId;
    import_id: PostImportId;
    /** ActivityPub id of the original. */
    original_uri: string;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<AccountDataTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends AccountDataTables {}
}
