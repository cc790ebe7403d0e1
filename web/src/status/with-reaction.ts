import type { StatusReaction } from '../api/entities.ts';

/** Returns the reactions with one of the reader's added or removed. */
export function withReaction(
  reactions: readonly StatusReaction[],
  reaction: Pick<StatusReaction, 'name' | 'url' | 'static_url'>,
  isAdded: boolean,
): readonly StatusReaction[] {
  if (isAdded && !reactions.some(({ name }) => name === reaction.name))
    return [...reactions, { ...reaction, count: 1, me: true }];
  return reactions
    .map((one) => (one.name === reaction.name ? { ...one, me: isAdded, count: one.count + (isAdded ? 1 : -1) } : one))
    .filter(({ count }) => count > 0);
}
