import { Type, type Static, type TSchema } from 'typebox';
import { Account } from '../accounts/index.ts';
import { PreviewCard } from '../cards/index.ts';
import { Collection } from '../collections/index.ts';
import { CustomEmoji } from '../emojis/index.ts';
import { MediaAttachment } from '../media/index.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/ids.ts';
import { Poll } from '../polls/index.ts';
import { contentTypes } from '../text/index.ts';
import { QuoteApproval, QuotePolicyInput, QuoteStateForViewer, ShallowQuote } from '../quotes/index.ts';

/** An instant as clients read it: ISO 8601, UTC, milliseconds. */
const timestamp = Type.String({ format: 'date-time' });

/** How a text is written; names of glitch-soc. */
export const ContentType = Type.Enum([...contentTypes]);

export const Visibility = Type.Enum(['public', 'unlisted', 'private', 'direct']);

const Mention = entity('StatusMention', {
  id: idSchema<'account'>(),
  username: Type.String(),
  url: Type.String(),
  acct: Type.String(),
});

const sharedFields = {
  id: idSchema<'status'>(),
  uri: Type.String(),
  created_at: timestamp,
  account: Account,
  /** Safe HTML. */
  content: Type.String(),
  visibility: Visibility,
  sensitive: Type.Boolean(),
  spoiler_text: Type.String(),
  media_attachments: Type.Array(MediaAttachment),
  /** The app it was posted with; left out where the author does not let others see it. */
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
  url: Type.Union([Type.String(), Type.Null()]),
  in_reply_to_id: Type.Union([idSchema<'status'>(), Type.Null()]),
  in_reply_to_account_id: Type.Union([idSchema<'account'>(), Type.Null()]),
  poll: Type.Union([Poll, Type.Null()]),
  card: Type.Union([PreviewCard, Type.Null()]),
  quote_approval: QuoteApproval,
  tagged_collections: Type.Array(Collection),
  language: Type.Union([Type.String(), Type.Null()]),
  edited_at: Type.Union([timestamp, Type.Null()]),
  favourited: Type.Optional(Type.Boolean()),
  reblogged: Type.Optional(Type.Boolean()),
  bookmarked: Type.Optional(Type.Boolean()),
  muted: Type.Optional(Type.Boolean()),
  /** Only on the viewer's own statuses that can be pinned. */
  pinned: Type.Optional(Type.Boolean()),
  filtered: Type.Optional(Type.Array(Type.Unknown())),
};

/** A quote of a status as a viewer sees it; what is quoted only where the viewer may see it. */
const Quote = entity('Quote', {
  state: QuoteStateForViewer,
  quoted_status: Type.Union([
    entity('QuotedStatus', { ...sharedFields, quote: Type.Union([ShallowQuote, Type.Null()]), reblog: Type.Null() }),
    Type.Null(),
  ]),
});

const fields = { ...sharedFields, quote: Type.Union([Quote, Type.Null()]) };

/** A status as a boost shows it. */
const RebloggedStatus = entity('RebloggedStatus', { ...fields, reblog: Type.Null() });

/** A status as a viewer sees it; what depends on the viewer is left out for the anonymous. */
export const Status = entity('Status', {
  ...fields,
  reblog: Type.Union([RebloggedStatus, Type.Null()]),
});
export type Status = Static<typeof Status>;

const { content: _content, ...withoutContent } = fields;

/** The answer to a deletion: the text as typed stands in place of the HTML, so that it can be written anew. */
export const DeletedStatus = entity('DeletedStatus', {
  ...withoutContent,
  text: Type.String(),
  content_type: ContentType,
  reblog: Type.Union([RebloggedStatus, Type.Null()]),
});
export type DeletedStatus = Static<typeof DeletedStatus>;

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A post that is still to come (reference/entities.tsv). */
export const ScheduledStatus = entity('ScheduledStatus', {
  id: idSchema<'scheduled'>(),
  scheduled_at: timestamp,
  /** As it was asked for. */
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
    /** A number of up to 64 bits, unlike every other id. */
    in_reply_to_id: nullable(Type.Number()),
    language: nullable(Type.String()),
    /** As `in_reply_to_id`. */
    application_id: nullable(Type.Number()),
    allowed_mentions: nullable(Type.Array(Type.String())),
    scheduled_at: Type.Null(),
    idempotency: Type.Null(),
    with_rate_limit: Type.Boolean(),
    quoted_status_id: nullable(idSchema<'status'>()),
    quote_approval_policy: QuotePolicyInput,
  }),
  media_attachments: Type.Array(MediaAttachment),
});
export type ScheduledStatus = Static<typeof ScheduledStatus>;

/** What surrounds a status in its conversation: what it answers, oldest first, and what answers it, branch by branch. */
export const Context = entity('Context', { ancestors: Type.Array(Status), descendants: Type.Array(Status) });
export type Context = Static<typeof Context>;

/** A status as its author typed it. */
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
