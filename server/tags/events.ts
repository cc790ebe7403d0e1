import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const tagEventSchema = Type.Object({ accountId: idSchema<'account'>(), tagId: idSchema<'tag'>() });

/** A local account has the posts of a hashtag in its home from now on. */
export const tagFollowed = defineEvent('tag.followed', tagEventSchema);

/** It has them no longer. */
export const tagUnfollowed = defineEvent('tag.unfollowed', tagEventSchema);

/** A profile shows a hashtag from now on. */
export const tagFeatured = defineEvent('tag.featured', tagEventSchema);

/** It shows it no longer. */
export const tagUnfeatured = defineEvent('tag.unfeatured', tagEventSchema);

/** An account follows or features other hashtags now. */
export const accountTagsChanged = defineEvent(
  'tag.account_tags_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);
