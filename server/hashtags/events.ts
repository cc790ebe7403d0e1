import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const tagEventSchema = Type.Object({ accountId: idSchema<'account'>(), tagId: idSchema<'tag'>() });

/** A local account followed a hashtag: its posts appear in the account's home. */
export const tagFollowed = defineEvent('tag.followed', tagEventSchema, { onlyAdds: true });

export const tagUnfollowed = defineEvent('tag.unfollowed', tagEventSchema);

/** An account featured a hashtag on its profile. */
export const tagFeatured = defineEvent('tag.featured', tagEventSchema);

export const tagUnfeatured = defineEvent('tag.unfeatured', tagEventSchema);

/** The followed or featured hashtags of an account changed. */
export const accountTagsChanged = defineEvent(
  'tag.account_tags_changed',
  Type.Object({ accountId: idSchema<'account'>() }),
);
