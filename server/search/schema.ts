import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { Collection } from '../collections/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { Status } from '../statuses/schema.ts';
import { Tag } from '../hashtags/schema.ts';

export const Search = entity('Search', {
  accounts: Type.Array(Account),
  statuses: Type.Array(Status),
  hashtags: Type.Array(Tag),
  collections: Type.Array(Collection, { description: 'The collection at the address in the query' }),
  unreachable_host: Type.Optional(
    Type.String({
      description:
        'The host of the address or handle, if `resolve` was set and it did not answer: the results are what is stored here',
    }),
  ),
});
export type Search = Static<typeof Search>;
