import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const userPayload = Type.Object({ userId: idSchema<'user'>(), accountId: idSchema<'account'>() });

/** Somebody signed up; whether they are confirmed or approved yet is another matter. */
export const userSignedUp = defineEvent('user.signed_up', userPayload);

/** A user's first e-mail address was confirmed. */
export const userConfirmed = defineEvent('user.confirmed', userPayload);

/** Staff approved a sign-up. */
export const userApproved = defineEvent('user.approved', userPayload);

/** What a user may do has changed: confirmed, approved, disabled, enabled, another role. */
export const userAccessChanged = defineEvent('user.access_changed', userPayload);

/** The password was changed or reset: whoever else held a session or token is out. */
export const passwordChanged = defineEvent('user.password_changed', userPayload);
