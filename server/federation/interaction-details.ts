import type { App } from '../platform/app.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { InteractionRequestId, RequestState } from '../interactions/requests/index.ts';
import type { Visibility } from '../statuses/index.ts';
import type { InteractionDetails } from './documents/approval-documents.ts';

/** An interaction that was requested, with what federation needs of the two accounts. */
export interface RequestedInteraction extends InteractionDetails {
  readonly state: RequestState;
  readonly authorId: AccountId;
  readonly accountId: AccountId;
  /** The post that the interaction is about. */
  readonly statusId: StatusId;
  readonly replyId: StatusId | null;
  readonly visibility: Visibility | null;
  readonly targetVisibility: Visibility;
  readonly createdAt: Date;
  /** Null: local. */
  readonly authorInbox: string | null;
  readonly actorInbox: string | null;
}

/**
 * Returns a requested interaction, by its id or that of its authorization; undefined if it has no id, because it is a local
 * favourite.
 */
export async function findRequestedInteraction(
  db: App['db'],
  key: { readonly id: InteractionRequestId } | { readonly authorizationUri: string },
): Promise<RequestedInteraction | undefined> {
  const query = db
    .selectFrom('interaction_requests as request')
    .innerJoin('statuses as status', 'status.id', 'request.status_id')
    .innerJoin('accounts as author', 'author.id', 'request.author_id')
    .innerJoin('accounts as actor', 'actor.id', 'request.account_id')
    .select([
      'request.id',
      'request.kind',
      'request.state',
      'request.author_id as authorId',
      'request.account_id as accountId',
      'request.status_id as statusId',
      'request.reply_id as replyId',
      'request.uri',
      'request.request_uri as requestUri',
      'request.authorization_uri as authorizationUri',
      'request.visibility',
      'request.created_at as createdAt',
      'status.uri as target',
      'status.visibility as targetVisibility',
      'author.uri as author',
      'author.inbox_url as authorInbox',
      'actor.uri as actor',
      'actor.inbox_url as actorInbox',
    ]);
  const row = await (
    'id' in key
      ? query.where('request.id', '=', key.id)
      : query.where('request.authorization_uri', '=', key.authorizationUri)
  ).executeTakeFirst();
  return row === undefined || row.uri === null ? undefined : { ...row, uri: row.uri };
}
