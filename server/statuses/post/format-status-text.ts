import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { findAccountsByHandle, parseHandle, type Handle } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  formatMarkdown,
  formatText,
  parseMarkdownText,
  parseText,
  type ContentType,
  type MentionLink,
} from '../../text/format/index.ts';
import { limitHtml, maxHtmlBytes } from '../../text/index.ts';

/** The formatted text of a local status, with its handles resolved. */
export interface FormattedText {
  /** Safe HTML. */
  readonly content: string;
  /** Known accounts that the text names, in order, without duplicates. */
  readonly mentionedIds: readonly AccountId[];
  /** Remote handles of unknown accounts, as `user@domain`. */
  readonly unresolvedHandles: readonly string[];
  /** As handles, without `#`. */
  readonly tagNames: readonly string[];
}

/** Limit for the HTML of a local post; leaves room for the link of a quote. */
const maxContentBytes = maxHtmlBytes - 8_192;

/** Formats the text of a status. One query if the text names accounts, none otherwise. */
export async function formatStatusText(
  app: App,
  text: string,
  contentType: ContentType = 'text/plain',
): Promise<FormattedText> {
  const isMarkdown = contentType === 'text/markdown';
  const handles = new Map<string, Handle>();
  const tagNames: string[] = [];
  for (const piece of isMarkdown ? parseMarkdownText(text) : parseText(text)) {
    if (piece.type === 'hashtag') tagNames.push(piece.name);
    if (piece.type !== 'mention') continue;
    const handle = parseHandle(app, piece.raw);
    if (handle !== undefined) handles.set(piece.raw.slice(1).toLowerCase(), handle);
  }
  const { links, mentionedIds, unresolvedHandles } = await resolveMentions(app, handles);
  const hashtagUrl = (name: string) => `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`;
  const format = isMarkdown ? formatMarkdown : formatText;
  const content = format(text, { mentions: links, hashtagUrl });
  // Profile addresses may be long, so a text that names hundreds of accounts gets no links to them. Long links with many special characters are cut.
  const isLong = Buffer.byteLength(content) > maxContentBytes;
  return {
    content: isLong ? limitHtml(format(text, { mentions: new Map(), hashtagUrl }), maxContentBytes) : content,
    mentionedIds,
    unresolvedHandles,
    tagNames,
  };
}

interface ResolvedMentions {
  readonly links: Map<string, MentionLink>;
  readonly mentionedIds: AccountId[];
  readonly unresolvedHandles: string[];
}

async function resolveMentions(app: App, handles: ReadonlyMap<string, Handle>): Promise<ResolvedMentions> {
  const links = new Map<string, MentionLink>();
  if (handles.size === 0) return { links, mentionedIds: [], unresolvedHandles: [] };
  const rows = await findAccountsByHandle(app, [...handles.values()]);
  const accounts = await loadCachedAccounts(
    app,
    rows.map(({ id }) => id),
  );
  const byHandle = new Map([...accounts.values()].map((account) => [handleKey(account), account]));
  const mentionedIds = new Set<AccountId>();
  const unresolvedHandles = new Set<string>();
  for (const [raw, handle] of handles) {
    const account = byHandle.get(handleKey(handle));
    if (account === undefined && handle.domain !== null) unresolvedHandles.add(handleKey(handle));
    if (account === undefined || account.suspended || !account.activated) continue;
    links.set(raw, { url: account.url, username: account.username, acct: account.acct });
    mentionedIds.add(account.id);
  }
  return { links, mentionedIds: [...mentionedIds], unresolvedHandles: [...unresolvedHandles] };
}

const handleKey = ({ username, domain }: Handle): string =>
  domain === null ? username.toLowerCase() : `${username.toLowerCase()}@${domain}`;
