import type { App } from '../../platform/app.ts';
import type { SessionId, UserId } from '../../platform/ids.ts';

/** Maximum number of listed sessions, which is also that of stored ones. */
export const maxSessions = 100;

/** A browser in which a user is signed in. */
export interface BrowserSession {
  readonly id: SessionId;
  readonly userAgent: string;
  /** From which it was started. */
  readonly ip: string | null;
  readonly createdAt: Date;
  /** To the day. */
  readonly lastUsedAt: Date;
}

/** Lists the sessions of a user, the most recently used first. */
export async function listSessions({ db }: Pick<App, 'db'>, userId: UserId): Promise<BrowserSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'user_agent as userAgent', 'ip', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessions)
    .execute();
  return rows;
}
