import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { htmlToText } from '../text/index.ts';

/** A post as a mail shows it. */
export interface MailedPost {
  readonly url: string;
  /** Plain text; empty below a content warning. */
  readonly text: string;
  /** Content warning; empty if there is none. */
  readonly warning: string;
  readonly attachments: number;
}

interface PostRow {
  readonly url: string;
  readonly content: string;
  readonly warning: string;
  readonly attachments: number;
}

/** Loads those of an account's posts that are still public, oldest first. */
export async function loadMailedPosts(
  { db }: App,
  accountId: AccountId,
  ids: readonly StatusId[],
): Promise<MailedPost[]> {
  const { rows } = await sql<PostRow>`
    select coalesce(status.url, status.uri) as url, status.content, status.spoiler_text as warning,
      (select count(*)::int from media_attachments where status_id = status.id) as attachments
    from statuses status
    where status.id = any(${[...ids]}::bigint[]) and status.account_id = ${accountId}::bigint
      and status.visibility = 'public' and status.deleted_at is null
    order by status.id`.execute(db);
  return rows.map(({ content, ...post }) => ({ ...post, text: post.warning === '' ? htmlToText(content) : '' }));
}
