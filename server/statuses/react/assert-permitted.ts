import { loadInteractionPermission, type Interaction } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';

const errors = {
  favourite: 'statuses.favouriteNotPermitted',
  reblog: 'statuses.reblogNotPermitted',
} as const satisfies Partial<Record<Interaction, string>>;

/**
 * Throws 403 if the author of a status does not permit the interaction. Where the author of a remote status decides, the
 * server of the author does.
 */
export async function assertPermitted(
  app: App,
  accountId: AccountId,
  status: CachedStatus,
  interaction: keyof typeof errors,
): Promise<void> {
  const permission = await loadInteractionPermission(app, accountId, status, interaction);
  if (permission === 'denied' || (permission === 'manual' && status.local)) throw forbidden(errors[interaction]);
}
