import { Type, type Static } from 'typebox';
import { Account } from '../accounts/index.ts';
import { Collection } from '../collections/index.ts';
import { entity } from '../platform/http/entity.ts';
import { Status } from '../statuses/index.ts';
import { Tag } from '../hashtags/index.ts';

export const Search = entity('Search', {
  accounts: Type.Array(Account),
  statuses: Type.Array(Status),
  hashtags: Type.Array(Tag),
  collections: Type.Array(Collection, { description: 'The collection at the address in the query' }),
});
export type Search = Static<typeof Search>;
