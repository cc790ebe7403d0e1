import type { App } from '../platform/app.ts';
import * as users from '../users/index.ts';

/** The one-time link that makes its reader the owner of this server; undefined once there is one. */
export async function ownerLink(app: App): Promise<string | undefined> {
  const { ownerSetupLink } = users as { ownerSetupLink?: (app: App) => Promise<string | undefined> };
  return ownerSetupLink?.(app);
}
