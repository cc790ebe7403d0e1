import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

/** `accountId` owns the collection. `local`: the collection is local. */
const collection = { collectionId: idSchema<'collection'>(), accountId: idSchema<'account'>(), local: Type.Boolean() };
const item = { ...collection, itemId: idSchema<'collection-item'>() };

/** A collection was created, with its first items. */
export const collectionCreated = defineEvent('collection.created', Type.Object(collection));

/** The properties of a collection changed, not its items. `renamed`: the name or the description changed. */
export const collectionUpdated = defineEvent(
  'collection.updated',
  Type.Object({ ...collection, renamed: Type.Boolean() }),
);

/** A collection was deleted. `memberIds` were members, or had been asked. */
export const collectionDeleted = defineEvent(
  'collection.deleted',
  Type.Object({ ...collection, uri: Type.String(), memberIds: Type.Array(idSchema<'account'>()) }),
);

/** An account was added to an existing collection. */
export const collectionItemAccepted = defineEvent('collection.item_accepted', Type.Object(item));

/** A remote account must be asked whether it may be added to a local collection. */
export const collectionItemRequested = defineEvent('collection.item_requested', Type.Object(item), { onlyAdds: true });

/** `memberId` is no longer in a collection, or no longer asked. `itemUri` was the URI of its item. */
export const collectionItemRemoved = defineEvent(
  'collection.item_removed',
  Type.Object({ ...item, memberId: idSchema<'account'>(), itemUri: Type.Union([Type.String(), Type.Null()]) }),
);

/** The local account `memberId` revoked its authorization for a collection. */
export const featureAuthorizationRevoked = defineEvent(
  'collection.authorization_revoked',
  Type.Object({ ...item, memberId: idSchema<'account'>() }),
);

/** A signed-in user viewed the collections of a remote account. */
export const collectionsViewed = defineEvent(
  'collection.list_viewed',
  Type.Object({ accountId: idSchema<'account'>() }),
  { onlyAdds: true },
);
