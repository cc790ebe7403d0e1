import { Type } from 'typebox';
import { idSchema } from '../../platform/id-schema.ts';
import type { AccountId } from '../../platform/ids.ts';
import { defineEvent } from '../../platform/write/define-event.ts';
import type { Transaction } from '../../platform/write/transaction.ts';

/**
 * An account that was discoverable no longer wants its profile to be found, or its public posts (FEP-5feb); local or remote.
 * The posts of an account that was not indexable were not to be found before.
 */
export const consentWithdrawn = defineEvent(
  'account.consent_withdrawn',
  Type.Object({ accountId: idSchema<'account'>(), profile: Type.Boolean(), posts: Type.Boolean() }),
);

interface Consent {
  readonly discoverable: boolean | null;
  readonly indexable: boolean;
}

/** Emits `consentWithdrawn` if an account allows less than before. */
export function emitWithdrawnConsent({ emit }: Transaction, accountId: AccountId, before: Consent, now: Consent): void {
  if (before.discoverable !== true) return;
  const profile = now.discoverable !== true;
  const posts = before.indexable && !(now.discoverable === true && now.indexable);
  if (profile || posts) emit(consentWithdrawn({ accountId, profile, posts }));
}
