import type { AccountId, CollectionId, CollectionItemId, StatusId, TagId } from '../platform/ids.ts';
import type { ItemState } from './schema.ts';

export interface CollectionTables {
  /** Accounts that somebody recommends, put together under a name. */
  collections: {
    id: CollectionId;
    account_id: AccountId;
    /** Made on this server. */
    local: boolean;
    uri: string;
    /** The page for people. */
    url: string | null;
    name: string;
    /** Plain text (local) or safe HTML (of another server). */
    description: string;
    language: string | null;
    tag_id: TagId | null;
    sensitive: boolean;
    /** Listed on the profile of its owner; any other is found by its address only. */
    discoverable: boolean;
    created_at: Date;
    updated_at: Date;
  };
  collection_items: {
    id: CollectionItemId;
    collection_id: CollectionId;
    /** Null while the actor of an item of another server is not known here. */
    account_id: AccountId | null;
    /** Id of the featured actor. */
    object_uri: string;
    state: ItemState;
    place: number;
    /** Null while only the consent of a local account is known, not yet the item of the other server. */
    uri: string | null;
    /** Id of the FeatureRequest, when another server was asked, or asked. */
    request_uri: string | null;
    /** The stamp by which the featured actor's server says that it agreed. */
    approval_uri: string | null;
    created_at: Date;
  };
  /** Collections that a post links to. */
  tagged_collections: { status_id: StatusId; collection_id: CollectionId };
}
