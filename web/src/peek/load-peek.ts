import { request, withQuery } from '../api/client.ts';
import type { Account, FamiliarFollowers, PreviewCard, Status } from '../api/entities.ts';
import { me } from '../session/session.ts';
import { relationshipOf } from '../store/relationships.ts';
import { statusOf, storeAccount, storeStatus } from '../store/statuses.ts';
import type { PeekTarget } from './peek-target.ts';

/** What a preview shows. */
export type Peek =
  | { readonly kind: 'person'; readonly account: Account; readonly familiar: readonly Account[] }
  | { readonly kind: 'post'; readonly id: string }
  | { readonly kind: 'link'; readonly url: string; readonly card: PreviewCard | undefined };

/** Loads what the preview of a link shows. */
export async function loadPeek(target: PeekTarget, signal?: AbortSignal): Promise<Peek> {
  const options = signal === undefined ? {} : { signal };
  switch (target.kind) {
    case 'person': {
      const query = { acct: target.acct };
      const account = await request<Account>('GET', '/api/v1/accounts/lookup', { query, ...options });
      storeAccount(account);
      return { kind: 'person', account, familiar: await loadRelated(account, options) };
    }
    case 'post':
      if (statusOf(target.id).peek() === undefined)
        storeStatus(await request<Status>('GET', `/api/v1/statuses/${target.id}`, options));
      return { kind: 'post', id: target.id };
    case 'link':
      return { kind: 'link', url: target.url, card: findCard(target.url, statusOf(target.statusId ?? '').peek()) };
  }
}

/** Returns the followers that the reader follows. Meanwhile, the relationship is loaded into the store. */
async function loadRelated({ id }: Account, options: { readonly signal?: AbortSignal }): Promise<readonly Account[]> {
  if (id === me.peek().id) return [];
  relationshipOf(id);
  const path = withQuery('/api/v1/accounts/familiar_followers', { id: [id] });
  // The rest can be shown without them.
  const found = await request<readonly FamiliarFollowers[]>('GET', path, options).catch(() => []);
  return found[0]?.accounts ?? [];
}

/** Returns the card of a link in a post, or in the post that it quotes. */
function findCard(url: string, status: Status | undefined): PreviewCard | undefined {
  if (status === undefined) return undefined;
  const { card, quote } = status;
  if (card !== null && isSameAddress(card.url, url)) return card;
  const quoted = quote !== null && 'quoted_status' in quote ? quote.quoted_status : null;
  return quoted?.card != null && isSameAddress(quoted.card.url, url) ? quoted.card : undefined;
}

const isSameAddress = (one: string, other: string): boolean => URL.canParse(one) && new URL(one).href === other;

/** Whether a post shows the card of its link itself. */
export const showsCard = (status: Status | undefined): boolean =>
  status !== undefined && status.card !== null && status.media_attachments.length === 0 && status.quote === null;
