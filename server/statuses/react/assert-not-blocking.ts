import type { App } from '../../platform/app.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';

/** Throws 403 if the account blocks the author. */
export async function assertNotBlocking(app: App, accountId: AccountId, authorId: AccountId): Promise<void> {
  const { blocking } = await loadAccountRelations(app, accountId);
  if (blocking.has(authorId)) throw forbidden();
}
