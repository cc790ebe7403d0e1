import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import type { NoticeContent } from '../../users/mails/index.ts';
import { htmlToText, truncateText } from '../../text/index.ts';

/** A mail quotes the beginnings of this many posts. */
const maxQuoted = 10;
/** Characters of a post. */
const maxLength = 300;

/** Returns the beginnings of posts for a mail to their author, before they are deleted. */
export async function quotePosts(
  { db }: Transaction,
  ids: readonly StatusId[],
): Promise<Pick<NoticeContent, 'posts' | 'morePosts'>> {
  const { rows } = await sql<{ spoiler_text: string; content: string }>`
    select spoiler_text, content from statuses
    where id = any(${ids.slice(0, maxQuoted)}::bigint[]) and deleted_at is null order by id`.execute(db);
  const posts = rows.map(({ spoiler_text: warning, content }) => {
    const text = [warning, htmlToText(content)].filter((part) => part !== '').join('\n');
    return truncateText(text, maxLength);
  });
  return { posts, morePosts: Math.max(ids.length - maxQuoted, 0) };
}
