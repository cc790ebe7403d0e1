import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

/** `accountId` owns the collection; `local`: it is of this server. */
const collection = { collectionId: idSchema<'collection'>(), accountId: idSchema<'account'>(), local: Type.Boolean() };
const item = { ...collection, itemId: idSchema<'collection-item'>() };

/** A collection is here now, with its first items. */
export const collectionCreated = defineEvent('collection.created', Type.Object(collection));

/** What is said of a collection changed, not who is in it. `renamed`: its name or description did. */
export const collectionUpdated = defineEvent(
  'collection.updated',
  Type.Object({ ...collection, renamed: Type.Boolean() }),
);

/** A collection is gone, and what is told of it with it: `uri` names it, `memberIds` were asked or in. */
export const collectionDeleted = defineEvent(
  'collection.deleted',
  Type.Object({ ...collection, uri: Type.String(), memberIds: Type.Array(idSchema<'account'>()) }),
);

/** An account is in a collection now that was there before it. */
export const collectionItemAccepted = defineEvent('collection.item_accepted', Type.Object(item));

/** An account of another server is to be asked whether it may be put into a local collection. */
export const collectionItemRequested = defineEvent('collection.item_requested', Type.Object(item));

/** `memberId` is no longer in a collection, or no longer asked; `itemUri` named its place. */
export const collectionItemRemoved = defineEvent(
  'collection.item_removed',
  Type.Object({ ...item, memberId: idSchema<'account'>(), itemUri: Type.Union([Type.String(), Type.Null()]) }),
);

/** `memberId`, a local account, took back its consent to stand in a collection. */
export const featureAuthorizationRevoked = defineEvent(
  'collection.authorization_revoked',
  Type.Object({ ...item, memberId: idSchema<'account'>() }),
);

/** Somebody who is signed in looked at the collections of an account of another server. */
export const collectionsViewed = defineEvent(
  'collection.list_viewed',
  Type.Object({ accountId: idSchema<'account'>() }),
);
