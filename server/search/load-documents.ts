import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { htmlToText, splitWords, type Word } from '../text/index.ts';
import { listTags } from './search-terms.ts';
import { isSearchableSql } from './searchable-sql.ts';

interface DocumentRow {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly local: boolean;
  readonly spoiler_text: string;
  readonly text: string;
  readonly content: string;
  readonly language: string | null;
  readonly sensitive: boolean;
  readonly is_answer: boolean;
  readonly is_quote: boolean;
  readonly poll_options: string[] | null;
  readonly descriptions: string[];
  readonly media_types: string[];
  /** See `versionSql`. */
  readonly version: string;
}

/** What a search compares with a status. */
export interface SearchDocument {
  readonly row: DocumentRow;
  /** The words of the warning, the text, the poll and the image descriptions. No phrase spans two of them. */
  readonly parts: readonly (readonly Word[])[];
  /** Normalised hashtags. */
  readonly tags: readonly string[];
}

/** What differs between versions of the status `s`: the time of its last edit, and whether it quotes. */
export const versionSql: RawBuilder<string> = sql<string>`concat_ws(' ',
  exists (select from quotes q where q.status_id = s.id), s.edited_at)`;

/** Maximum number of words that are read from one part. */
const maxWords = 5_000;

const documentRows = (condition: RawBuilder<boolean>) =>
  preparedQuery<DocumentRow>()((db, { ids }: { ids: readonly StatusId[] }) => ({
    compile: () =>
      sql<DocumentRow>`
      select s.id, s.account_id, s.local, s.spoiler_text, s.text, s.content, s.language, s.sensitive,
        s.in_reply_to_account_id is not null as is_answer,
        exists (select from quotes q where q.status_id = s.id) as is_quote,
        (select p.options from polls p where p.id = s.poll_id) as poll_options,
        array(select m.description from media_attachments m
          where m.id = any(s.media_ids) and m.description is not null) as descriptions,
        array(select m.type from media_attachments m where m.id = any(s.media_ids)) as media_types,
        ${versionSql} as version
      from statuses s join accounts a on a.id = s.account_id
      where s.id = any(${ids}::bigint[]) and s.reblog_of_id is null and s.deleted_at is null
        and ${condition}`.compile(db),
  }));

const allRows = documentRows(sql`true`);
const searchableRows = documentRows(isSearchableSql);

/** Loads the searched parts of statuses. Skips deleted statuses and reblogs. */
export async function loadDocuments(app: App, ids: readonly StatusId[]): Promise<SearchDocument[]> {
  return ids.length === 0 ? [] : (await allRows(app, { ids })).map(toDocument);
}

/** Like `loadDocuments`, but skips statuses that nobody may search. */
export async function loadSearchableDocuments(app: App, ids: readonly StatusId[]): Promise<SearchDocument[]> {
  return (await searchableRows(app, { ids })).map(toDocument);
}

function toDocument(row: DocumentRow): SearchDocument {
  const text = row.local ? row.text : htmlToText(row.content);
  const parts = [row.spoiler_text, text, ...(row.poll_options ?? []), ...row.descriptions];
  return { row, parts: parts.map((part) => splitWords(part).slice(0, maxWords)), tags: listTags(text) };
}
