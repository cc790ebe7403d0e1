import type { DraftPost, MediaAttachment, Status } from '../api/entities.ts';
import type { QuotePolicy } from '../status/index.ts';

export type Visibility = Status['visibility'];
export type ContentType = 'text/plain' | 'text/markdown';
/** Who may reply to a post. `default`: as the account's settings say. */
export type ReplyPolicy = 'default' | 'public' | 'followers' | 'following' | 'mentioned';

/** A file of a post that is being written. */
export interface ComposedMedia {
  readonly key: string;
  readonly name: string;
  readonly state: 'uploading' | 'processing' | 'ready' | 'failed';
  /** Of the upload, from 0 to 1. */
  readonly progress: number;
  /** Why the upload failed, in words. */
  readonly problem?: string | undefined;
  readonly attachment?: MediaAttachment | undefined;
  readonly description: string;
  /** What its author wrote about the same file before. */
  readonly earlierDescription?: string | undefined;
  readonly focus: Focus;
  /** Whether the description or the focus is not stored on the server yet. */
  readonly isChanged: boolean;
  /** Whether the file belongs to the post that is edited. */
  readonly isPosted: boolean;
}

/** What an author changes about a file. */
export type MediaChanges = Pick<ComposedMedia, 'description' | 'focus'>;

/** The point that previews keep visible, from -1 to 1 in both directions; up is positive. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

export interface ComposedPoll {
  readonly options: readonly string[];
  readonly isMultiple: boolean;
  /** Undefined: as it was, because the results of an ended poll are always shown. */
  readonly hidesTotals: boolean | undefined;
  /** Seconds; undefined: it ends when it would have ended. */
  readonly duration: number | undefined;
  /** What an edited post asked, and until when. */
  readonly posted?: PostedPoll | undefined;
}

/** The poll of a post before its edit. */
export interface PostedPoll {
  readonly options: readonly string[];
  readonly isMultiple: boolean;
  /** Null: never. */
  readonly end: string | null;
}

/** One post that is being written. */
export interface ComposedPost {
  readonly key: string;
  readonly text: string;
  readonly hasWarning: boolean;
  readonly warning: string;
  readonly isSensitive: boolean;
  readonly media: readonly ComposedMedia[];
  readonly poll: ComposedPoll | undefined;
}

/** What is being written: a post, or a thread of several. */
export interface Composed {
  readonly posts: readonly ComposedPost[];
  readonly visibility: Visibility;
  /** Whether only local accounts get it; missing in copies of older versions. */
  readonly isLocalOnly?: boolean | undefined;
  readonly quotePolicy: QuotePolicy;
  readonly replyPolicy: ReplyPolicy;
  /** Empty: the server detects it. */
  readonly language: string;
  readonly contentType: ContentType;
  /** Local time of a `datetime-local` field; empty: now. */
  readonly scheduledAt: string;
  readonly inReplyToId?: string | undefined;
  readonly quotedId?: string | undefined;
  readonly editedId?: string | undefined;
  /** Of the edited post. Only another choice is sent: these three words cannot say all policies. */
  readonly postedQuotePolicy?: QuotePolicy | undefined;
  /** When its author changed it last, as milliseconds, in any window; undefined: never. */
  readonly changedAt?: number | undefined;
  /** The copy on the server. */
  readonly draft?: { readonly id: string; readonly version: number } | undefined;
  /** The Idempotency-Key of a request that stores the draft. Nobody knows yet whether the server received it. */
  readonly savingKey?: string | undefined;
  /** The last attempt to send, so that another one has the same Idempotency-Key. */
  readonly attempt?: { readonly body: string; readonly key: string } | undefined;
}

/** Returns a key that is unique in this browser. */
export const newKey = (): string => crypto.randomUUID();

/** Returns a post without content. */
export function emptyPost(text = ''): ComposedPost {
  return { key: newKey(), text, hasWarning: false, warning: '', isSensitive: false, media: [], poll: undefined };
}

/** Returns whether a post has nothing that its author would miss. */
export const isBlank = ({ text, warning, media, poll }: ComposedPost): boolean =>
  text.trim() === '' &&
  warning.trim() === '' &&
  media.length === 0 &&
  (poll === undefined || poll.options.every((option) => option.trim() === ''));

/**
 * Returns what a window shows after another one stored a copy: the newer text, and the uploads of this window, which are in no
 * copy before they end.
 */
export function mergeCopy(own: Composed, copy: Composed): Composed {
  const { draft, savingKey, changedAt = 0 } = copy;
  const { draft: _draft, savingKey: _key, ...content } = changedAt > (own.changedAt ?? 0) ? copy : own;
  const posts = content.posts.map((post) => {
    const before = own.posts.find(({ key }) => key === post.key)?.media ?? [];
    const uploads = before.filter(({ key, attachment }) => attachment === undefined && !hasFile(post, key));
    return uploads.length === 0 ? post : { ...post, media: [...post.media, ...uploads] };
  });
  return { ...content, posts, ...(draft !== undefined && { draft }), ...(savingKey !== undefined && { savingKey }) };
}

const hasFile = ({ media }: ComposedPost, key: string): boolean => media.some((one) => one.key === key);

/** Returns an uploaded file as part of a post. */
export function composedMedia(attachment: MediaAttachment, isPosted = false): ComposedMedia {
  return {
    key: attachment.id,
    name: '',
    state: attachment.url === null ? 'processing' : 'ready',
    progress: 1,
    attachment,
    description: attachment.description ?? '',
    focus: attachment.meta?.focus ?? { x: 0, y: 0 },
    isChanged: false,
    isPosted,
  };
}

const widest: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct'];

/** Returns the narrower of two visibilities. */
export const narrower = (one: Visibility, other: Visibility): Visibility =>
  widest[Math.max(widest.indexOf(one), widest.indexOf(other))] ?? 'direct';

/** Returns who may reply to a post that has these rules; undefined: those of the account's settings. */
export function replyPolicyOf(policy: DraftPost['interaction_policy']): ReplyPolicy {
  const groups: readonly string[] = policy?.can_reply?.automatic_approval ?? [];
  return replyPolicies.find((one) => groups.includes(one)) ?? 'default';
}

const replyPolicies = ['public', 'followers', 'following', 'mentioned'] as const;
