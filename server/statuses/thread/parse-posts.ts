import { findLanguage } from '../../text/languages/index.ts';
import type { ThreadPost, ThreadPostInput } from './schema.ts';

/** Returns the posts of a request. A language that is not near a listed one stays, and is refused by `assertPosts`. */
export const parsePosts = (posts: readonly ThreadPostInput[]): ThreadPost[] =>
  posts.map(({ status, ...post }) => ({
    ...post,
    ...(status !== undefined && { text: status }),
    ...(post.language !== undefined && { language: findLanguage(post.language) ?? post.language }),
  }));
