import { defineEvent } from '../platform/events/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/ids.ts';

const userPayload = Type.Object({ userId: idSchema<'user'>(), accountId: idSchema<'account'>() });

/** A user signed up, and may still need confirmation and approval. */
export const userSignedUp = defineEvent('user.signed_up', userPayload);

/** A user's first e-mail address was confirmed. */
export const userConfirmed = defineEvent('user.confirmed', userPayload);

/** Staff approved a sign-up. */
export const userApproved = defineEvent('user.approved', userPayload);

/** The rights of a user changed: confirmed, approved, disabled, enabled or another role. */
export const userAccessChanged = defineEvent('user.access_changed', userPayload);

/** The password was changed or reset. Sessions and tokens are no longer valid. */
export const passwordChanged = defineEvent('user.password_changed', userPayload);
