import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const userPayload = Type.Object({ userId: idSchema<'user'>(), accountId: idSchema<'account'>() });

/** A user was created, by signing up or by staff. The account is invisible until the user is confirmed and approved. */
export const userCreated = defineEvent('user.created', userPayload, { onlyAdds: true });

/** A user who signed up was confirmed and approved: the account is visible from now on. */
export const signUpCompleted = defineEvent('user.sign_up_completed', userPayload, { onlyAdds: true });

/** A user who signed up confirmed the e-mail address, and waits for approval. */
export const signUpPending = defineEvent('user.sign_up_pending', userPayload);

/** The rights of a user changed: confirmed, approved, disabled, enabled or another role. */
export const userAccessChanged = defineEvent('user.access_changed', userPayload);

/** The permissions or other properties of a role changed, or it was deleted and its users have that of everyone. */
export const roleChanged = defineEvent('role.changed', Type.Object({ roleId: idSchema<'role'>() }));

/** The password was changed or reset. Sessions ended, and tokens are no longer valid. */
export const passwordChanged = defineEvent('user.password_changed', userPayload);

/** A user signed in with a browser. */
export const sessionStarted = defineEvent('user.session_started', Type.Object({ sessionId: idSchema<'session'>() }), {
  onlyAdds: true,
});

/** Browsers were signed out. */
export const sessionsEnded = defineEvent(
  'user.sessions_ended',
  Type.Object({ sessionIds: Type.Array(idSchema<'session'>()) }),
);

/** Staff added, changed or removed the block of an IP address or network. */
export const ipBlocksChanged = defineEvent('user.ip_blocks_changed', Type.Object({ ip: Type.String() }));
