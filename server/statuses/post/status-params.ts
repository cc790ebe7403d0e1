import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, ApplicationId, StatusId } from '../../platform/ids.ts';
import type { PollInput } from '../../polls/index.ts';
import type { ContentType } from '../../text/format/index.ts';
import type { QuotePolicy } from '../../users/index.ts';
import type { ScheduledId, Visibility } from '../tables.ts';

/** A held post that staff approved. */
export interface PublishedHeldPost {
  readonly id: StatusId;
  /** Runs in the transaction that publishes it. */
  readonly onPublish: (tx: Transaction, statusId: StatusId) => Promise<void>;
}

/** The parameters of a new status. The author's settings replace missing ones. */
export interface StatusParams {
  readonly text?: string | undefined;
  /** Format of `text`. */
  readonly contentType?: ContentType | undefined;
  readonly spoilerText?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** Whether only local accounts get it. */
  readonly localOnly?: boolean | undefined;
  readonly sensitive?: boolean | undefined;
  readonly language?: string | undefined;
  /** Uploads of the author, in display order. */
  readonly mediaIds?: readonly string[] | undefined;
  readonly poll?: PollInput | undefined;
  readonly inReplyToId?: StatusId | undefined;
  readonly quotedStatusId?: StatusId | undefined;
  /** Who may quote it. */
  readonly quotePolicy?: QuotePolicy | undefined;
  /** Who may favourite, reply to and reblog it, encoded by `encodeInteractionPolicy`; null: everyone. */
  readonly interactionPolicy?: number | null | undefined;
  /** If given, mentions of other accounts are refused. */
  readonly allowedMentions?: readonly AccountId[] | undefined;
  readonly applicationId?: ApplicationId | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The scheduled status that is posted; its row is deleted. */
  readonly scheduledId?: ScheduledId | undefined;
  /** The held post that is published. It is not compared with moderation rules again. */
  readonly held?: PublishedHeldPost | undefined;
}
