import type { Interaction } from '../../interactions/policy/index.ts';
import { insertRequest, type InteractionRequestId } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import type { Visibility } from '../tables.ts';

/** A favourite or reblog that waits for the author of the post, or that needs a proof of consent. */
export interface HeldReaction {
  readonly id?: InteractionRequestId;
  readonly kind: Exclude<Interaction, 'reply'>;
  readonly accountId: AccountId;
  /** ActivityPub id; null for a local favourite. */
  readonly uri: string | null;
  readonly requestUri?: string | undefined;
  readonly visibility?: Visibility;
  /** The verified authorization by a remote author. */
  readonly authorizationUri?: string;
}

/**
 * Stores the request for a favourite or reblog. Returns `rejected` if the author rejected or revoked the same before, else
 * `pending` or `accepted`.
 */
export async function holdReaction(
  app: App,
  status: Pick<CachedStatus, 'id' | 'accountId'>,
  { id = newId<'interaction-request'>(app.clock.now()), ...reaction }: HeldReaction,
  state: 'pending' | 'accepted' = 'pending',
): Promise<'pending' | 'accepted' | 'rejected'> {
  const request = { ...reaction, id, state, statusId: status.id, authorId: status.accountId };
  const earlier = await transaction(app, (tx) => insertRequest(tx, app, request));
  if (earlier === 'inserted') return state;
  return earlier === 'revoked' ? 'rejected' : earlier;
}
