import { Type, type Static, type TSchema } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { PreviewCard } from '../cards/schema.ts';
import { Collection } from '../collections/schema.ts';
import { CustomEmoji } from '../emojis/schema.ts';
import { FilterResult } from '../filters/schema.ts';
import { MediaAttachment } from '../media/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';
import { Poll } from '../polls/schema.ts';
import { contentTypes } from '../text/format/schema.ts';
import { InteractionPolicyEntity } from '../interactions/policy/schema.ts';
import { QuoteApproval, QuotePolicyInput } from '../quotes/policy/schema.ts';
import { QuoteStateForViewer, ShallowQuote } from '../quotes/schema.ts';

/** ISO 8601, UTC, with milliseconds. */
const timestamp = Type.String({ format: 'date-time' });

/** Format of the text, with the names of glitch-soc. */
export const ContentType = Type.Enum([...contentTypes]);

export const Visibility = Type.Enum(['public', 'unlisted', 'private', 'direct']);

/** The parameter of glitch-soc. */
export const LocalOnlyInput = Type.Boolean({
  description: 'Whether only local accounts get it; by default as the parent, or else as the author prefers',
});

const Mention = entity('StatusMention', {
  id: idSchema<'account'>(),
  username: Type.String(),
  url: Type.String(),
  acct: Type.String(),
});

/** The reactions with one emoji, in the form of glitch-soc. */
const StatusReaction = entity('StatusReaction', {
  /** A Unicode emoji, or the shortcode of a custom one, with its domain if it is remote. */
  name: Type.String(),
  count: Type.Integer(),
  /** Missing for anonymous viewers. */
  me: Type.Optional(Type.Boolean()),
  /** Only of a custom emoji. */
  url: Type.Optional(Type.String()),
  static_url: Type.Optional(Type.String()),
});
export type StatusReaction = Static<typeof StatusReaction>;

/** What a remote article, event or file has in addition to a post. Its content begins with title and summary. */
const Article = entity('Article', {
  /** The ActivityStreams type. */
  type: Type.Enum(['Article', 'Page', 'Event', 'Video', 'Audio', 'Image']),
  title: Type.Union([Type.String(), Type.Null()]),
  /** Safe HTML; empty if there is none. */
  summary: Type.String(),
  /** Characters of the text of `article`; 0: it has none. */
  article_length: Type.Integer(),
  /**
   * Safe HTML with headings, tables and figures; only in the response to `GET /api/v1/statuses/:id`. Links with the
   * class `u-photo` lead to images, which are among the attachments (`remote_url`).
   */
  article: Type.Optional(Type.String()),
  event: Type.Union([
    Type.Object({
      starts_at: Type.Union([Type.String(), Type.Null()]),
      ends_at: Type.Union([Type.String(), Type.Null()]),
      /** Name and address. */
      place: Type.Union([Type.String(), Type.Null()]),
      cancelled: Type.Boolean(),
    }),
    Type.Null(),
  ]),
});

const sharedFields = {
  id: idSchema<'status'>(),
  uri: Type.String(),
  created_at: timestamp,
  account: Account,
  /** Safe HTML. */
  content: Type.String(),
  visibility: Visibility,
  /** Whether only local accounts get it, as in glitch-soc. Missing for remote statuses. */
  local_only: Type.Optional(Type.Boolean()),
  /** The host of the original of a post that its author imported from an archive; missing for all others. */
  imported_from: Type.Optional(Type.String()),
  sensitive: Type.Boolean(),
  spoiler_text: Type.String(),
  media_attachments: Type.Array(MediaAttachment),
  /** The app that posted it; missing if the author hides it. */
  application: Type.Optional(
    Type.Union([Type.Object({ name: Type.String(), website: Type.Union([Type.String(), Type.Null()]) }), Type.Null()]),
  ),
  mentions: Type.Array(Mention),
  tags: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
  emojis: Type.Array(CustomEmoji),
  reblogs_count: Type.Integer(),
  favourites_count: Type.Integer(),
  quotes_count: Type.Integer(),
  replies_count: Type.Integer(),
  /** The server of a remote status counts more replies, reblogs or favourites than are known here; its counts are shown. */
  counts_from_origin: Type.Optional(Type.Boolean()),
  url: Type.Union([Type.String(), Type.Null()]),
  in_reply_to_id: Type.Union([idSchema<'status'>(), Type.Null()]),
  in_reply_to_account_id: Type.Union([idSchema<'account'>(), Type.Null()]),
  poll: Type.Union([Poll, Type.Null()]),
  card: Type.Union([PreviewCard, Type.Null()]),
  quote_approval: QuoteApproval,
  /** Who may favourite, reply to and reblog it; missing: everyone who sees it. */
  interaction_policy: Type.Optional(InteractionPolicyEntity),
  /** Reactions with emojis. */
  reactions: Type.Array(StatusReaction),
  tagged_collections: Type.Array(Collection),
  /** Missing for a post that is no remote article, event or file. */
  fieldfare: Type.Optional(Article),
  language: Type.Union([Type.String(), Type.Null()]),
  edited_at: Type.Union([timestamp, Type.Null()]),
  favourited: Type.Optional(Type.Boolean()),
  reblogged: Type.Optional(Type.Boolean()),
  bookmarked: Type.Optional(Type.Boolean()),
  muted: Type.Optional(Type.Boolean()),
  /** Only for the author: staff have not decided yet whether it is published. */
  held_for_review: Type.Optional(Type.Boolean()),
  /** Only for statuses that the viewer can pin. */
  pinned: Type.Optional(Type.Boolean()),
  /** The viewer's filters that it matches. */
  filtered: Type.Optional(Type.Array(FilterResult)),
};

const QuotedStatus = entity('QuotedStatus', {
  ...sharedFields,
  quote: Type.Union([ShallowQuote, Type.Null()]),
  reblog: Type.Null(),
});
export type QuotedStatus = Static<typeof QuotedStatus>;

/** The quote of a status. `quoted_status` is null if the viewer may not see it. */
const Quote = entity('Quote', {
  state: QuoteStateForViewer,
  quoted_status: Type.Union([QuotedStatus, Type.Null()]),
});
export type Quote = Static<typeof Quote>;

const fields = { ...sharedFields, quote: Type.Union([Quote, Type.Null()]) };

/** A status inside a reblog. */
const RebloggedStatus = entity('RebloggedStatus', { ...fields, reblog: Type.Null() });

/** A status as a viewer sees it. Fields about the viewer are missing for anonymous viewers. */
export const Status = entity('Status', {
  ...fields,
  reblog: Type.Union([RebloggedStatus, Type.Null()]),
});
export type Status = Static<typeof Status>;

const { content: _content, ...withoutContent } = fields;

/** The response to a deletion: the source text instead of the HTML, for a redraft. */
export const DeletedStatus = entity('DeletedStatus', {
  ...withoutContent,
  text: Type.String(),
  content_type: ContentType,
  reblog: Type.Union([RebloggedStatus, Type.Null()]),
});
export type DeletedStatus = Static<typeof DeletedStatus>;

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A scheduled status (reference/entities.tsv). */
export const ScheduledStatus = entity('ScheduledStatus', {
  id: idSchema<'scheduled'>(),
  scheduled_at: timestamp,
  /** As in `Status`: `params` has it as a number, which JavaScript rounds. */
  in_reply_to_id: nullable(idSchema<'status'>()),
  /** The parameters of the request. */
  params: Type.Object({
    text: Type.String(),
    content_type: nullable(ContentType),
    poll: nullable(
      Type.Object({
        options: Type.Array(Type.String()),
        expires_in: Type.Integer(),
        multiple: Type.Boolean(),
        hide_totals: Type.Boolean(),
      }),
    ),
    media_ids: nullable(Type.Array(Type.String())),
    sensitive: nullable(Type.Boolean()),
    spoiler_text: nullable(Type.String()),
    visibility: nullable(Visibility),
    local_only: nullable(Type.Boolean()),
    /** A number of up to 64 bits, unlike all other ids. */
    in_reply_to_id: nullable(Type.Number()),
    language: nullable(Type.String()),
    /** Like `in_reply_to_id`. */
    application_id: nullable(Type.Number()),
    allowed_mentions: nullable(Type.Array(Type.String())),
    scheduled_at: Type.Null(),
    idempotency: Type.Null(),
    with_rate_limit: Type.Boolean(),
    quoted_status_id: nullable(idSchema<'status'>()),
    quote_approval_policy: QuotePolicyInput,
    /** Missing: the default of its author. */
    interaction_policy: Type.Optional(InteractionPolicyEntity),
  }),
  media_attachments: Type.Array(MediaAttachment),
});
export type ScheduledStatus = Static<typeof ScheduledStatus>;

/** The thread around a status: its ancestors, oldest first, and its descendants, depth first. */
export const Context = entity('Context', { ancestors: Type.Array(Status), descendants: Type.Array(Status) });
export type Context = Static<typeof Context>;

/** How a text would look as a status. */
export const StatusPreview = entity('StatusPreview', {
  content: sharedFields.content,
  spoiler_text: sharedFields.spoiler_text,
  /** Known accounts that it names. */
  mentions: sharedFields.mentions,
  tags: sharedFields.tags,
  emojis: sharedFields.emojis,
});
export type StatusPreview = Static<typeof StatusPreview>;

/** The source of a status, for editing. */
export const StatusSource = entity('StatusSource', {
  id: idSchema<'status'>(),
  text: Type.String(),
  spoiler_text: Type.String(),
  content_type: ContentType,
});
export type StatusSource = Static<typeof StatusSource>;

/** One version of a status. */
export const StatusEdit = entity('StatusEdit', {
  content: Type.String(),
  spoiler_text: Type.String(),
  sensitive: Type.Boolean(),
  created_at: timestamp,
  account: Account,
  media_attachments: Type.Array(MediaAttachment),
  emojis: Type.Array(CustomEmoji),
  quote: Type.Optional(Type.Union([Quote, Type.Null()])),
  poll: Type.Optional(Type.Object({ options: Type.Array(Type.Object({ title: Type.String() })) })),
});
export type StatusEdit = Static<typeof StatusEdit>;
