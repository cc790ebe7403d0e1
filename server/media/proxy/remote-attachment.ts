import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { MediaId, StatusId } from '../../platform/ids.ts';
import { isEqualInConstantTime } from '../../platform/equal-in-constant-time.ts';
import type { MediaVersion } from './signed-urls.ts';

/** A remote attachment of a status. */
export interface RemoteAttachment {
  readonly statusId: StatusId;
  /** URL on its own server. */
  readonly url: string;
  /** Returns whether a `fetch` parameter is valid. */
  isFetchToken(token: string | undefined): boolean;
}

interface Row {
  readonly status_id: StatusId;
  readonly remote_url: string;
  readonly remote_preview_url: string | null;
  readonly proxy_token: string;
}

const selectAttachment = preparedQuery<Row>()((db, { id }: { id: MediaId }) => ({
  compile: () =>
    sql<Row>`select status_id, remote_url, remote_preview_url, proxy_token from media_attachments
      where id = ${id} and status_id is not null and remote_url is not null`.compile(db),
}));

/** Finds a remote attachment of a status, without visibility checks. */
export async function findRemoteAttachment(
  app: App,
  { id, version }: { id: MediaId; version: MediaVersion },
): Promise<RemoteAttachment | undefined> {
  const [row] = await selectAttachment(app, { id });
  if (row === undefined) return undefined;
  return {
    statusId: row.status_id,
    url: version === 'small' ? (row.remote_preview_url ?? row.remote_url) : row.remote_url,
    isFetchToken: (token) => token !== undefined && isEqualInConstantTime(token, row.proxy_token),
  };
}
