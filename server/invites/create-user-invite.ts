import { findCollection } from '../collections/read/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { createOwnInvite, type OwnInviteInput } from '../users/invites/index.ts';

/**
 * Creates an invite of a user, who needs the permission to invite. Returns its code. Throws 404 if the collection is not one
 * of the user, and 422 as `createOwnInvite`.
 */
export async function createUserInvite(
  app: App,
  { accountId, userId }: Pick<CurrentUser, 'accountId' | 'userId'>,
  input: OwnInviteInput,
): Promise<string> {
  if (input.collectionId !== undefined) {
    const collection = await findCollection(app, input.collectionId);
    if (collection?.account_id !== accountId) throw notFound();
  }
  return createOwnInvite(app, userId, input);
}
