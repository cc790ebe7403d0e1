/** A part of a profile: the last part of its path. */
export type ProfileTab =
  | 'posts'
  | 'replies'
  | 'media'
  | 'featured'
  | 'followers'
  | 'following'
  | 'collections'
  | 'tagged';
