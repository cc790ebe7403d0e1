import type { Status } from '../api/entities.ts';

type Post = Pick<Status, 'id' | 'in_reply_to_id' | 'in_reply_to_account_id'> & {
  readonly account: Pick<Status['account'], 'id'>;
};

/**
 * Returns the ids of the posts by which an author continued their own post, the first one first, with `id` among them. Of
 * several continuations of a post, the oldest counts. Empty if there is only one post, or if the first one is not loaded.
 */
export function ownThreadOf(posts: readonly Post[], id: string): readonly string[] {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const continuedBy = new Map<string, string>();
  for (const post of posts) {
    const { in_reply_to_id: parent } = post;
    if (parent === null || post.in_reply_to_account_id !== post.account.id) continue;
    const known = continuedBy.get(parent);
    if (known === undefined || BigInt(post.id) < BigInt(known)) continuedBy.set(parent, post.id);
  }
  const chain: string[] = [];
  for (let post = byId.get(id); post !== undefined && !chain.includes(post.id);) {
    chain.unshift(post.id);
    if (post.in_reply_to_id === null || post.in_reply_to_account_id !== post.account.id) break;
    post = byId.get(post.in_reply_to_id);
    if (post === undefined) return [];
  }
  for (let next = continuedBy.get(id); next !== undefined && !chain.includes(next); next = continuedBy.get(next))
    chain.push(next);
  return chain.length > 1 ? chain : [];
}
