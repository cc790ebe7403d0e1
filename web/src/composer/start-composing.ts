import { ApiError, OfflineError, request } from '../api/client.ts';
import type { Draft, ScheduledStatus, Status, StatusSource } from '../api/entities.ts';
import { findShare, type Share } from '../offline/index.ts';
import { me } from '../session/session.ts';
import { type QuotePolicy, quotePolicyOf } from '../status/index.ts';
import { statusOf } from '../store/statuses.ts';
import {
  composedMedia,
  emptyPost,
  narrower,
  replyPolicyOf,
  type Composed,
  type ComposedPoll,
  type ComposedPost,
  type ContentType,
  type Visibility,
} from './composed.ts';
import type { ComposerStart } from './composer-props.ts';
import { findLocalCopy, findSlotOfDraft, storeLocalCopy } from './local-copies.ts';
import { postedPoll, usualDuration } from './posted-poll.ts';

/** Where the local copy is stored, what was stored there, and the content without any change of the user. */
export interface Started {
  readonly slot: string;
  readonly composed: Composed;
  readonly initial: Composed;
  readonly parent?: Status | undefined;
  readonly quoted?: Status | undefined;
  /** What another app shared, whose files are still to be attached. */
  readonly share?: Share | undefined;
}

/** Returns the name of the local copy of what is composed for a purpose. */
export function slotOf({ inReplyTo, quote, text, edit, draft, redraft, shared }: ComposerStart): string {
  if (edit !== undefined) return `edit:${edit}`;
  if (draft !== undefined) return findSlotOfDraft(draft) ?? `draft:${draft}`;
  if (redraft !== undefined) return `redraft:${redraft}`;
  if (shared !== undefined) return `shared:${shared}`;
  if (inReplyTo !== undefined) return `reply:${inReplyTo}`;
  if (quote !== undefined) return `quote:${quote}`;
  return text === undefined || text === '' ? 'new' : `text:${text}`;
}

/** Returns the page that continues what a local copy contains; undefined for an edit, which is no draft. */
export function pathOfSlot(slot: string): string | undefined {
  if (slot === 'new') return '/publish';
  const [kind = '', ...rest] = slot.split(':');
  const names = {
    reply: 'in_reply_to',
    quote: 'quote',
    text: 'text',
    draft: 'draft',
    redraft: 'redraft',
    shared: 'shared',
  } as const;
  if (!(kind in names)) return undefined;
  return `/publish?${new URLSearchParams({ [names[kind as keyof typeof names]]: rest.join(':') }).toString()}`;
}

/** Loads what is needed to compose: the local copy if there is one, else the draft, the edited post or the replied one. */
export async function startComposing(start: ComposerStart): Promise<Started> {
  const slot = slotOf(start);
  const copy = findLocalCopy(slot);
  const initial = copy !== undefined && start.draft !== undefined ? emptyComposed() : await initialContent(start);
  const composed = copy ?? initial;
  const share = start.shared === undefined ? undefined : await findShare(start.shared);
  const [parent, quoted] = await Promise.all([
    findStatus(composed.inReplyToId ?? start.inReplyTo),
    findStatus(composed.quotedId ?? start.quote),
  ]);
  const reply = start.inReplyTo !== undefined && parent !== undefined ? asReply(initial, parent) : initial;
  const fresh = quoted === undefined || start.quote === undefined ? reply : asQuote(reply, quoted);
  return { slot, composed: copy ?? withText(fresh, share?.text ?? ''), initial: fresh, parent, quoted, share };
}

/** Adds a text, which counts as a change of the user: it is kept. */
const withText = (composed: Composed, text: string): Composed =>
  text === '' ? composed : { ...composed, posts: composed.posts.map((post) => ({ ...post, text })) };

/** Stores a copy of a scheduled post for the composer. Returns the path at which it is edited. */
export function prepareScheduledEdit({
  id,
  in_reply_to_id: inReplyToId,
  params,
  media_attachments: media,
}: ScheduledStatus): string {
  const post = {
    ...emptyPost(params.text),
    ...warningOf(params.spoiler_text ?? ''),
    isSensitive: params.sensitive === true,
    media: media.map((attachment) => composedMedia(attachment)),
    poll: params.poll === null ? undefined : pollOf(params.poll),
  };
  storeLocalCopy(slotOf({ redraft: id }), {
    ...emptyComposed(),
    posts: [post],
    ...(params.visibility !== null && { visibility: params.visibility }),
    ...(params.local_only !== null && { isLocalOnly: params.local_only }),
    quotePolicy: params.quote_approval_policy,
    replyPolicy: replyPolicyOf(params.interaction_policy),
    language: params.language ?? '',
    ...(params.content_type !== null && { contentType: params.content_type }),
    ...(inReplyToId !== null && { inReplyToId }),
    ...(params.quoted_status_id !== null && { quotedId: params.quoted_status_id }),
  });
  return `/publish?redraft=${id}`;
}

function emptyComposed(): Composed {
  const { source } = me.peek();
  return {
    posts: [emptyPost()],
    visibility: source.privacy as Visibility,
    isLocalOnly: source.local_only,
    quotePolicy: source.quote_policy as QuotePolicy,
    replyPolicy: 'default',
    language: source.language ?? '',
    contentType: source.status_content_type as ContentType,
    scheduledAt: '',
  };
}

async function initialContent(start: ComposerStart): Promise<Composed> {
  if (start.edit !== undefined) return editedContent(start.edit);
  if (start.draft !== undefined) return draftContent(start.draft);
  const empty = emptyComposed();
  return {
    ...empty,
    posts: [{ ...emptyPost(start.text), isSensitive: me.peek().source.sensitive }],
    ...(start.visibility !== undefined && { visibility: start.visibility }),
    ...(start.inReplyTo !== undefined && { inReplyToId: start.inReplyTo }),
    ...(start.quote !== undefined && { quotedId: start.quote }),
  };
}

/** Addresses those who take part in the conversation. A reply is not more visible than what it replies to. */
function asReply(composed: Composed, parent: Status): Composed {
  const [post] = composed.posts;
  if (post === undefined) return composed;
  const mine = me.peek().id;
  const handles = [parent.account, ...parent.mentions].filter(({ id }) => id !== mine).map(({ acct }) => `@${acct}`);
  const text = [...new Set(handles), post.text].join(' ');
  return {
    ...composed,
    visibility: narrower(composed.visibility, parent.visibility),
    // The author of a remote post would not see it.
    isLocalOnly: staysHere(parent) || (composed.isLocalOnly === true && parent.local_only !== undefined),
    posts: [{ ...post, text, ...warningOf(parent.spoiler_text) }],
  };
}

/** Whether other servers do not know a post, so that replies and quotes of it stay here, too. */
export const staysHere = ({ local_only: isLocalOnly, imported_from: importedFrom }: Status): boolean =>
  isLocalOnly === true || importedFrom !== undefined;

/** A quote of a local-only post is local-only, one of a remote post cannot be. */
const asQuote = (composed: Composed, quoted: Status): Composed => ({
  ...composed,
  isLocalOnly: staysHere(quoted) || (composed.isLocalOnly === true && quoted.local_only !== undefined),
});

/** Loads a published post as its author wrote it. */
export async function editedContent(id: string): Promise<Composed> {
  const [status, source] = await Promise.all([
    request<Status>('GET', `/api/v1/statuses/${id}`),
    request<StatusSource>('GET', `/api/v1/statuses/${id}/source`),
  ]);
  const post: ComposedPost = {
    ...emptyPost(source.text),
    ...warningOf(source.spoiler_text),
    isSensitive: status.sensitive,
    media: status.media_attachments.map((attachment) => composedMedia(attachment, true)),
    poll: status.poll === null ? undefined : postedPoll(status.poll),
  };
  const quotePolicy = quotePolicyOf(status.quote_approval);
  return {
    ...emptyComposed(),
    posts: [post],
    visibility: status.visibility,
    isLocalOnly: status.local_only === true,
    quotePolicy,
    postedQuotePolicy: quotePolicy,
    language: status.language ?? '',
    contentType: source.content_type,
    editedId: id,
  };
}

async function draftContent(id: string): Promise<Composed> {
  const draft = await request<Draft>('GET', `/api/v1/fieldfare/drafts/${id}`);
  const empty = emptyComposed();
  const [first] = draft.posts;
  const quotedId = draft.posts.find(({ quoted_status_id: quoted }) => quoted !== undefined)?.quoted_status_id;
  return {
    ...empty,
    posts: draft.posts.map((post) => ({
      ...emptyPost(post.text),
      ...warningOf(post.spoiler_text ?? ''),
      isSensitive: post.sensitive === true && (post.spoiler_text ?? '') === '',
      media: post.media_attachments.map((attachment) => composedMedia(attachment)),
      poll: post.poll === undefined ? undefined : pollOf(post.poll),
    })),
    visibility: first?.visibility ?? empty.visibility,
    isLocalOnly: first?.local_only ?? empty.isLocalOnly,
    quotePolicy: first?.quote_approval_policy ?? empty.quotePolicy,
    replyPolicy: replyPolicyOf(first?.interaction_policy),
    language: first?.language ?? empty.language,
    contentType: first?.content_type ?? empty.contentType,
    ...(draft.in_reply_to_id !== null && { inReplyToId: draft.in_reply_to_id }),
    ...(quotedId !== undefined && { quotedId }),
    draft: { id: draft.id, version: draft.version },
  };
}

const warningOf = (warning: string): Pick<ComposedPost, 'hasWarning' | 'warning'> => ({
  hasWarning: warning !== '',
  warning,
});

function pollOf(poll: NonNullable<Draft['posts'][number]['poll']>): ComposedPoll {
  const {
    options = [],
    multiple = false,
    hide_totals: hidesTotals = false,
    expires_in: duration = usualDuration,
  } = poll;
  return {
    options: options.length < 2 ? [...options, '', ''].slice(0, 2) : options,
    isMultiple: multiple,
    hidesTotals,
    duration,
  };
}

/**
 * Returns a post that is shown with what is written; undefined if it is not visible any more, or unknown and there is no
 * connection.
 */
async function findStatus(id: string | undefined): Promise<Status | undefined> {
  if (id === undefined) return undefined;
  try {
    return await request<Status>('GET', `/api/v1/statuses/${id}`);
  } catch (error) {
    if (error instanceof OfflineError) return statusOf(id).peek();
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  }
}
