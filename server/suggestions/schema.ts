import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { entity } from '../platform/http/entity.ts';

/** An account that the viewer may want to follow. */
export const Suggestion = entity('Suggestion', {
  source: Type.Enum(['staff', 'past_interactions', 'global']),
  sources: Type.Array(
    Type.Enum(['featured', 'most_followed', 'most_interactions', 'similar_to_recently_followed', 'friends_of_friends']),
    { description: 'The most important one first' },
  ),
  account: Account,
});
export type Suggestion = Static<typeof Suggestion>;
