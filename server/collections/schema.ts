import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { idSchema } from '../platform/id-schema.ts';

const datetime = Type.String({ format: 'date-time' });
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** State of an item: asked, a member, rejected by its server, or revoked by the member. */
export const ItemState = Type.Union([
  Type.Literal('pending'),
  Type.Literal('accepted'),
  Type.Literal('rejected'),
  Type.Literal('revoked'),
]);
export type ItemState = Static<typeof ItemState>;

/** An account in a collection. `account_id` is present while the item is pending or accepted. */
export const CollectionItem = Type.Object(
  {
    id: idSchema<'collection-item'>(),
    account_id: Type.Optional(idSchema<'account'>()),
    state: ItemState,
    created_at: datetime,
  },
  { title: 'CollectionItem', additionalProperties: false },
);
export type CollectionItem = Static<typeof CollectionItem>;

/** A collection of recommended accounts (reference/entities.tsv), with the items that the viewer may see. */
export const Collection = Type.Object(
  {
    id: idSchema<'collection'>(),
    account_id: idSchema<'account'>(),
    uri: Type.String(),
    url: nullable(Type.String()),
    name: Type.String(),
    description: nullable(Type.String({ description: 'Plain text for a local collection, HTML for a remote one' })),
    language: nullable(Type.String()),
    local: Type.Boolean(),
    sensitive: Type.Boolean(),
    discoverable: Type.Boolean(),
    tag: nullable(Type.Object({ name: Type.String(), url: Type.String() })),
    created_at: datetime,
    updated_at: datetime,
    item_count: Type.Integer(),
    items: Type.Array(CollectionItem),
  },
  { title: 'Collection', additionalProperties: false },
);
export type Collection = Static<typeof Collection>;

export const Collections = Type.Object({ collections: Type.Array(Collection) }, { title: 'Collections' });
export type Collections = Static<typeof Collections>;
export const WrappedCollection = Type.Object({ collection: Collection }, { title: 'WrappedCollection' });
export type WrappedCollection = Static<typeof WrappedCollection>;
export const WrappedCollectionItem = Type.Object(
  { collection_item: CollectionItem },
  { title: 'WrappedCollectionItem' },
);
export type WrappedCollectionItem = Static<typeof WrappedCollectionItem>;
/** The first account is the owner of the collection. */
export const CollectionWithAccounts = Type.Object(
  { accounts: Type.Array(Account), collection: Collection },
  { title: 'CollectionWithAccounts' },
);
export type CollectionWithAccounts = Static<typeof CollectionWithAccounts>;
