import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const about = Type.Object({ accountId: idSchema<'account'>(), tagId: idSchema<'tag'>() });

/** A local account has the posts of a hashtag in its home from now on. */
export const tagFollowed = defineEvent('tags.followed', about);

/** It has them no longer. */
export const tagUnfollowed = defineEvent('tags.unfollowed', about);

/** A profile shows a hashtag from now on. */
export const tagFeatured = defineEvent('tags.featured', about);

/** It shows it no longer. */
export const tagUnfeatured = defineEvent('tags.unfeatured', about);

/** An account follows or features other hashtags now. */
export const accountTagsChanged = defineEvent(
  'tag.account_tags_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);
