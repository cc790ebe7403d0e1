import { loadCachedAccounts, findAccountsByHandle, parseHandle, type Handle } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import {
  formatMarkdown,
  formatText,
  maxHtmlBytes,
  parseMarkdownText,
  parseText,
  type ContentType,
  type MentionLink,
} from '../text/index.ts';

/** What the text of a local status says, with its handles looked up. */
export interface FormattedText {
  /** Safe HTML. */
  readonly content: string;
  /** Known accounts that it names, in the order of the text, each once. */
  readonly mentionedIds: readonly AccountId[];
  /** Handles of other servers that no account is known for, as `user@domain`. */
  readonly unresolvedHandles: readonly string[];
  /** As written, without `#`. */
  readonly tagNames: readonly string[];
}

/** Of the HTML of a local post; leaves room for the link of a quote. */
const maxContentBytes = maxHtmlBytes - 8_192;

/** Reads and formats what was typed; one query, and none when nobody is named. */
export async function formatStatusText(
  app: App,
  text: string,
  contentType: ContentType = 'text/plain',
): Promise<FormattedText> {
  const isMarkdown = contentType === 'text/markdown';
  const written = new Map<string, Handle>();
  const tagNames: string[] = [];
  for (const piece of isMarkdown ? parseMarkdownText(text) : parseText(text)) {
    if (piece.type === 'hashtag') tagNames.push(piece.name);
    if (piece.type !== 'mention') continue;
    const handle = parseHandle(app, piece.raw);
    if (handle !== undefined) written.set(piece.raw.slice(1).toLowerCase(), handle);
  }
  const { links, mentionedIds, unresolvedHandles } = await resolveMentions(app, written);
  const hashtagUrl = (name: string) => `${app.config.baseUrl}/tags/${encodeURIComponent(name)}`;
  const format = isMarkdown ? formatMarkdown : formatText;
  const content = format(text, { mentions: links, hashtagUrl });
  // Profile addresses may be long: a text that names hundreds of people is shown without links to them.
  const isLong = Buffer.byteLength(content) > maxContentBytes;
  return {
    content: isLong ? format(text, { mentions: new Map(), hashtagUrl }) : content,
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

async function resolveMentions(app: App, written: ReadonlyMap<string, Handle>): Promise<ResolvedMentions> {
  const links = new Map<string, MentionLink>();
  if (written.size === 0) return { links, mentionedIds: [], unresolvedHandles: [] };
  const rows = await findAccountsByHandle(app, [...written.values()]);
  const bodies = await loadCachedAccounts(
    app,
    rows.map(({ id }) => id),
  );
  const byHandle = new Map([...bodies.values()].map((body) => [handleKey(body), body]));
  const mentionedIds = new Set<AccountId>();
  const openHandles = new Set<string>();
  for (const [raw, handle] of written) {
    const body = byHandle.get(handleKey(handle));
    if (body === undefined && handle.domain !== null) openHandles.add(handleKey(handle));
    if (body === undefined || body.suspended || !body.activated) continue;
    links.set(raw, { url: body.url, username: body.username, acct: body.acct });
    mentionedIds.add(body.id);
  }
  return { links, mentionedIds: [...mentionedIds], unresolvedHandles: [...openHandles] };
}

const handleKey = ({ username, domain }: Handle): string =>
  domain === null ? username.toLowerCase() : `${username.toLowerCase()}@${domain}`;
