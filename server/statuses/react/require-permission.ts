import { loadInteractionPermission, type Interaction } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';

const errors = {
  favourite: 'statuses.favouriteNotPermitted',
  reblog: 'statuses.reblogNotPermitted',
} as const satisfies Partial<Record<Interaction, string>>;

/** Returns whether the author of a status permits an interaction at once or decides about it. Throws 403 otherwise. */
export async function requirePermission(
  app: App,
  accountId: AccountId,
  status: CachedStatus,
  interaction: keyof typeof errors,
): Promise<'automatic' | 'manual'> {
  const permission = await loadInteractionPermission(app, accountId, status, interaction);
  if (permission === 'denied') throw forbidden(errors[interaction]);
  return permission;
}

/** Creates the error for an interaction that the author of the status rejected. */
export const notPermittedError = (interaction: keyof typeof errors) => forbidden(errors[interaction]);
