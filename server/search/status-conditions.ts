import { sql, type RawBuilder } from 'kysely';
import { findAccountsByHandle, parseHandle } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Attachment, Choice, Property, StatusQuery } from './parse-query.ts';

type Condition = RawBuilder<unknown>;

/** Returns the conditions of a query's operators, except those of time, for the status `s` of the account `a`. */
export function buildConditions(query: StatusQuery, authors: Choice<AccountId>): Condition[] {
  return [
    ...anyOf(sql`s.account_id`, 'bigint', authors),
    ...anyOf(sql`lower(s.language)`, 'text', query.language),
    ...eachOf(query.has, hasAttachment),
    ...eachOf(query.is, hasProperty),
  ];
}

function anyOf(
  column: Condition,
  type: 'bigint' | 'text',
  { wanted, unwanted }: { wanted: readonly string[]; unwanted: readonly string[] },
): Condition[] {
  const list = (values: readonly string[]): Condition => sql`any(${values}::${sql.raw(type)}[])`;
  return [
    ...(wanted.length === 0 ? [] : [sql`${column} = ${list(wanted)}`]),
    ...(unwanted.length === 0 ? [] : [sql`(${column} = ${list(unwanted)}) is not true`]),
  ];
}

const eachOf = <Value>({ wanted, unwanted }: Choice<Value>, build: (value: Value) => Condition): Condition[] => [
  ...wanted.map(build),
  ...unwanted.map((value) => sql`not ${build(value)}`),
];

function hasAttachment(kind: Attachment): Condition {
  switch (kind) {
    case 'media':
      return sql`s.has_media`;
    case 'poll':
      return sql`(s.poll_id is not null)`;
    case 'link':
      return sql`exists (select from status_cards c where c.status_id = s.id)`;
    case 'embed':
      return sql`exists (select from status_cards c join preview_cards p on p.id = c.card_id
        where c.status_id = s.id and p.type = 'video')`;
    case 'image':
    case 'audio':
    case 'video': {
      const types = kind === 'video' ? ['video', 'gifv'] : [kind];
      return sql`exists (select from media_attachments m where m.id = any(s.media_ids) and m.type = any(${types}::text[]))`;
    }
  }
}

function hasProperty(property: Property): Condition {
  switch (property) {
    case 'reply':
      return sql`(s.in_reply_to_account_id is not null)`;
    case 'sensitive':
      return sql`s.sensitive`;
    case 'bot':
      return sql`(a.actor_type in ('Service', 'Application'))`;
    case 'quote':
      return sql`exists (select from quotes q where q.status_id = s.id and q.state = 'accepted')`;
  }
}

/** Returns the accounts in `from:`. Throws 404 for an unknown one. */
export async function resolveAuthors(
  app: App,
  { wanted, unwanted }: Choice<string>,
  viewerId: AccountId | undefined,
): Promise<Choice<AccountId>> {
  const handles = new Map([...wanted, ...unwanted].map((acct) => [acct, parseHandle(app, acct)]));
  handles.delete('me');
  const rows = await findAccountsByHandle(
    app,
    [...handles.values()].filter((handle) => handle !== undefined),
  );
  const idOf = (acct: string): AccountId => {
    const handle = handles.get(acct);
    const id =
      acct === 'me'
        ? viewerId
        : rows.find(
            (row) => row.username.toLowerCase() === handle?.username.toLowerCase() && row.domain === handle.domain,
          )?.id;
    if (id === undefined) throw notFound();
    return id;
  };
  return { wanted: wanted.map(idOf), unwanted: unwanted.map(idOf) };
}
