import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { StatusId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';

/** What decides which public timelines showed a status. */
export type PublicStatusFacts = Pick<
  CachedStatus,
  'visibility' | 'reblogOfId' | 'isReply' | 'local' | 'hasMedia' | 'tags'
>;

const deletedRows = preparedQuery<PublicStatusFacts>()((db, { id }: { id: StatusId }) => ({
  compile: () =>
    sql<PublicStatusFacts>`
      select visibility, reblog_of_id as "reblogOfId", is_reply as "isReply", local, has_media as "hasMedia", array(
        select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags
      from statuses s where s.id = ${id}::bigint and s.deleted_at is not null`.compile(db),
}));

/** Returns the facts about a deleted status while its row is retained. */
export async function findDeletedStatus(app: App, id: StatusId): Promise<PublicStatusFacts | undefined> {
  const [status] = await deletedRows(app, { id });
  return status;
}
