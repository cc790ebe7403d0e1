import type { AccountId, CollectionId, CollectionItemId, StatusId, TagId } from '../platform/ids.ts';
import type { ItemState } from './schema.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export interface CollectionTables {
  /** Collections of recommended accounts. */
  collections: {
    id: CollectionId;
    account_id: AccountId;
    /** Created on this server. */
    local: boolean;
    uri: string;
    /** Web page. */
    url: string | null;
    name: string;
    /** Plain text (local) or safe HTML (remote). */
    description: string;
    language: string | null;
    tag_id: TagId | null;
    sensitive: boolean;
    /** Whether it is listed on the profile of its owner. Others are found by their address only. */
    discoverable: boolean;
    created_at: Date;
    updated_at: Date;
  };
  collection_items: {
    id: CollectionItemId;
    collection_id: CollectionId;
    /** Null until the actor of a remote item is stored. */
    account_id: AccountId | null;
    /** URI of the featured actor. */
    object_uri: string;
    state: ItemState;
    place: number;
    /** Null until the remote item arrives for a local account that has agreed. */
    uri: string | null;
    /** URI of the FeatureRequest that was sent to or received from a remote server. */
    request_uri: string | null;
    /** URI of the authorization by the featured actor. */
    approval_uri: string | null;
    created_at: Date;
  };
  /** Links from posts to collections. */
  tagged_collections: { status_id: StatusId; collection_id: CollectionId };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<CollectionTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends CollectionTables {}
}
