import { sql } from 'kysely';
import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { staysHere, visibilityToOthers } from '../../statuses/visibility/index.ts';
import { announce } from './activities.ts';
import { authorizationProperties } from './approval-documents.ts';
import type { Json } from './values.ts';

/**
 * Returns the Announce activities of local reblogs without context. Leaves out reblogs of deleted posts, and of local-only
 * ones unless asked for them.
 */
export async function announceDocuments(
  app: App,
  ids: readonly StatusId[],
  { withLocalOnly = false } = {},
): Promise<Map<StatusId, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await app.db
    .selectFrom('statuses as reblog')
    .innerJoin('accounts as actor', 'actor.id', 'reblog.account_id')
    .innerJoin('statuses as original', 'original.id', 'reblog.reblog_of_id')
    .innerJoin('accounts as author', 'author.id', 'original.account_id')
    .leftJoin('interaction_requests as request', (join) =>
      join
        .onRef('request.uri', '=', 'reblog.uri')
        .on('request.uri', 'is not', null)
        .on('request.state', '=', 'accepted'),
    )
    .select([
      'request.id as request_id',
      'request.authorization_uri as authorization',
      'reblog.id',
      'reblog.uri',
      'reblog.visibility',
      'actor.silenced_at',
      'reblog.created_at',
      'actor.uri as actor_uri',
      'original.uri as object',
      'author.uri as author_uri',
      'author.domain as author_domain',
    ])
    .where(sql<boolean>`reblog.id = any(${ids}::bigint[])`)
    .where('reblog.local', '=', true)
    .where('reblog.deleted_at', 'is', null)
    .where('original.deleted_at', 'is', null)
    .execute();
  return new Map(
    rows
      .filter(({ visibility }) => withLocalOnly || !staysHere(visibility))
      .map((row) => [
        row.id,
        {
          ...announce({
            id: row.uri,
            actor: row.actor_uri,
            followers: actorUrls(app, row.actor_uri).followers,
            published: row.created_at,
            object: row.object,
            objectAuthor: row.author_uri,
            visibility: visibilityToOthers(row.visibility, { silenced: row.silenced_at !== null }),
          }),
          ...(row.request_id !== null &&
            authorizationProperties('reblog', {
              id: row.request_id,
              author: row.author_uri,
              domain: row.author_domain,
              authorizationUri: row.authorization,
            })),
        },
      ]),
  );
}
