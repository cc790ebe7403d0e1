import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const ids = Type.Object({ userId: idSchema<'user'>(), accountId: idSchema<'account'>() });

/** Somebody signed up; whether they are confirmed or approved yet is another matter. */
export const userSignedUp = defineEvent('user.signed-up', ids);

/** A user's first e-mail address was confirmed. */
export const userConfirmed = defineEvent('user.confirmed', ids);

/** Staff approved a sign-up. */
export const userApproved = defineEvent('user.approved', ids);

/** What a user may do has changed: confirmed, approved, disabled, enabled, another role. */
export const userAccessChanged = defineEvent('user.access-changed', ids);

/** The password was changed or reset: whoever else held a session or token is out. */
export const passwordChanged = defineEvent('user.password-changed', ids);
