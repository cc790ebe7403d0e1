import { Type, type Static } from 'typebox';
import { Account } from '../accounts/index.ts';
import { Collection } from '../collections/index.ts';
import { entity } from '../platform/http/entity.ts';
import { Status } from '../statuses/index.ts';
import { Tag } from '../tags/index.ts';

/** Entity Search of the client interface. */
export const Search = entity('Search', {
  accounts: Type.Array(Account),
  statuses: Type.Array(Status),
  hashtags: Type.Array(Tag),
  collections: Type.Array(Collection, { description: 'Collections that the query is the address of' }),
});
export type Search = Static<typeof Search>;
