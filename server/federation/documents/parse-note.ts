import type { RemoteEmoji } from '../../emojis/index.ts';
import type { Interaction } from '../../interactions/policy/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { OriginCounts, RemoteArticle } from '../../statuses/remote/index.ts';
import { authorizationOf } from './approval-documents.ts';
import { articleTypeOf, describeArticle, parseArticle, type ArticleFiles } from './parse-article.ts';
import { parseEmojis } from './emoji-documents.ts';
import { DocumentError } from './parse-document.ts';
import { parseQuestion, type Question } from './parse-question.ts';
import {
  dateOf,
  durationOf,
  hostOf,
  idOf,
  idsOf,
  isHttpUrl,
  isObject,
  isPublic,
  languageOf,
  listOf,
  numberOf,
  isSameHost,
  textOf,
  typesOf,
  urlOf,
  type Json,
} from './values.ts';

/** Types that become statuses as they are. */
const plainTypes: ReadonlySet<string> = new Set(['Note', 'Question']);

/** Maximum number of replies that are fetched with a post (reference/limits.tsv, "replies fetched with a post"). */
const maxFirstReplies = 5;

/** The highest count that is accepted (reference/limits.tsv, "untrusted remote counters"). */
const maxCount = 100_000_000;

/** Maximum number of attachments that are read. */
const maxAttachments = 16;

export interface NoteAttachment {
  readonly url: string;
  readonly mediaType: string | undefined;
  readonly previewUrl: string | undefined;
  readonly description: string;
  readonly blurhash: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  /** Horizontal and vertical coordinates from -1 to 1, to the right and up. */
  readonly focus: readonly [number, number] | undefined;
}

/** A parsed post. */
export interface Note {
  readonly uri: string;
  readonly url: string | undefined;
  readonly attributedTo: string;
  /** Unsanitized HTML. */
  readonly content: string;
  /** What an Article, Page, Event, Video, Audio or Image has in addition. */
  readonly article: RemoteArticle | undefined;
  /** Content warning; may be empty. */
  readonly summary: string;
  readonly sensitive: boolean;
  readonly language: string | undefined;
  readonly inReplyTo: string | undefined;
  readonly conversation: string | undefined;
  readonly published: Date | undefined;
  readonly updated: Date | undefined;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Ids of the mentioned actors. */
  readonly mentions: readonly string[];
  /** Names of hashtags without `#`. */
  readonly hashtags: readonly string[];
  readonly emojis: readonly RemoteEmoji[];
  /** Ids of linked collections of accounts. */
  readonly collections: readonly string[];
  readonly attachments: readonly NoteAttachment[];
  readonly question: Question | undefined;
  readonly counts: OriginCounts;
  /** Ids of up to five replies on its own server that its document lists. */
  readonly firstReplies: readonly string[];
  readonly quote: ParsedQuote | undefined;
  /** Ids of the actors and collections that may quote it. */
  readonly canQuote: ParsedRules;
  /** Id of the proof that the author of its parent consents. */
  readonly authorization: string | undefined;
  /** Who may interact with it otherwise; undefined: everyone. */
  readonly canInteract: Readonly<Record<Interaction, ParsedRules | undefined>>;
}

/** Ids of the actors and collections that are permitted at once, and after approval. */
export interface ParsedRules {
  readonly automatic: readonly string[];
  readonly manual: readonly string[];
}

/** A post with how it arrived. `recipientId`: the local account of the personal inbox. */
export interface DeliveredNote extends Note {
  readonly recipientId?: AccountId | undefined;
  /** Id of the ReplyRequest that contained it. */
  readonly requestUri?: string | undefined;
}

/** A parsed quote of a post. */
export interface ParsedQuote {
  readonly uri: string;
  /** Id of the authorization by the quoted author. */
  readonly authorization: string | undefined;
  /** Declared only by properties from before quote authorizations existed. */
  readonly legacy: boolean;
  readonly gone: boolean;
}

/** Whether an object can become a status. */
export function isNote(object: unknown): object is Json {
  return (
    isObject(object) && (typesOf(object).some((type) => plainTypes.has(type)) || articleTypeOf(object) !== undefined)
  );
}

/** Returns the author of an object; of several, the first on the object's own host. */
export function authorOf(object: Json): string | undefined {
  const id = idOf(object);
  return idsOf(object['attributedTo']).find((author) => isSameHost(author, id));
}

/** Parses a post. Throws a DocumentError if its id, or an author on the same host, is missing. */
export function parseNote(object: Json): Note {
  const uri = idOf(object);
  const attributedTo = authorOf(object);
  if (uri === undefined || hostOf(uri) === undefined) throw new DocumentError('The object has no id');
  if (!isNote(object)) throw new DocumentError(`${uri} is not a supported type of object`);
  if (attributedTo === undefined) throw new DocumentError(`${uri} has no author on its own host`);
  const url = urlOf(object['url'], 'text/html');
  const type = articleTypeOf(object);
  const page = url ?? uri;
  const attachments = parseAttachments(object);
  const parsed =
    type && parseArticle(object, { type, url: page, attachments: attachments.map((attachment) => attachment.url) });
  const tags = listOf(object['tag']).filter(isObject);
  return {
    uri,
    url: url !== undefined && isSameHost(url, uri) ? url : undefined,
    attributedTo,
    content: parsed ? describeArticle(object, page) : (textOf(object, 'content') ?? ''),
    article: parsed?.article,
    summary: parsed ? '' : (textOf(object, 'summary', 5000) ?? ''),
    sensitive: object['sensitive'] === true,
    language: languageOf(object, 'content', 'name', 'summary'),
    inReplyTo: idOf(object['inReplyTo']),
    conversation: textOf(object, 'conversation', 2048),
    published: dateOf(object['published']),
    updated: dateOf(object['updated']),
    to: idsOf(object['to']),
    cc: idsOf(object['cc']),
    mentions: tagsOfType(tags, 'Mention')
      .map((tag) => urlOf(tag['href']))
      .filter((href) => href !== undefined),
    hashtags: tagsOfType(tags, 'Hashtag').flatMap((tag) => textOf(tag, 'name', 500)?.replace(/^#/, '') || []),
    emojis: parseEmojis(object),
    collections: tagsOfType(tags, 'FeaturedCollection').flatMap((tag) => idOf(tag) ?? []),
    attachments: parsed ? withFiles(attachments, parsed.files) : attachments,
    question: parseQuestion(object),
    counts: {
      replies: parseCount(object['replies']),
      reblogs: parseCount(object['shares']),
      favourites: parseCount(object['likes']),
    },
    firstReplies: parseFirstReplies(object['replies'], uri),
    quote: parseQuote(object),
    ...parsePolicies(object['interactionPolicy']),
    authorization: authorizationOf(object),
  };
}

/** Derives the visibility of a post from its addressees (reference/federation.tsv, "Note.to, cc"). */
export function visibilityOf(
  { to, cc }: Pick<Note, 'to' | 'cc'>,
  followers: string | null | undefined,
): 'public' | 'unlisted' | 'private' | 'direct' {
  if (to.some(isPublic)) return 'public';
  if (cc.some(isPublic)) return 'unlisted';
  if (followers && (to.includes(followers) || cc.includes(followers))) return 'private';
  return 'direct';
}

/** Returns the number of items that an embedded collection declares; undefined if it is missing or implausible. */
function parseCount(collection: unknown): number | undefined {
  const count = isObject(collection) ? collection['totalItems'] : undefined;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= maxCount ? count : undefined;
}

function parseFirstReplies(replies: unknown, uri: string): string[] {
  const first = isObject(replies) ? (replies['first'] ?? replies) : undefined;
  if (!isObject(first)) return [];
  return idsOf(first['orderedItems'] ?? first['items'])
    .filter((reply) => isHttpUrl(reply) && isSameHost(reply, uri))
    .slice(0, maxFirstReplies);
}

/** Only the first quote counts. */
function parseQuote(object: Json): ParsedQuote | undefined {
  const quote = listOf(object['quote'])[0];
  const uri = idOf(quote);
  const authorization = idOf(object['quoteAuthorization']);
  const gone = typesOf(quote).includes('Tombstone');
  if (gone || isHttpUrl(uri)) {
    return { uri: uri ?? '', authorization: isHttpUrl(authorization) ? authorization : undefined, legacy: false, gone };
  }
  const legacy = ['quoteUrl', 'quoteUri', '_misskey_quote'].map((name) => idOf(object[name])).find(isHttpUrl);
  return legacy === undefined ? undefined : { uri: legacy, authorization: undefined, legacy: true, gone: false };
}

function parsePolicies(policy: unknown): Pick<Note, 'canQuote' | 'canInteract'> {
  const rulesOf = (name: string): ParsedRules | undefined => parseRules(isObject(policy) ? policy[name] : undefined);
  return {
    canQuote: rulesOf('canQuote') ?? { automatic: [], manual: [] },
    canInteract: { favourite: rulesOf('canLike'), reply: rulesOf('canReply'), reblog: rulesOf('canAnnounce') },
  };
}

/** Also reads the names of these properties before GoToSocial 0.20. Returns undefined if there are none. */
function parseRules(rules: unknown): ParsedRules | undefined {
  if (!isObject(rules)) return undefined;
  const automatic = rules['automaticApproval'] ?? rules['always'];
  const manual = rules['manualApproval'] ?? rules['approvalRequired'];
  if (automatic === undefined && manual === undefined) return undefined;
  return { automatic: idsOf(automatic), manual: idsOf(manual) };
}

function tagsOfType(tags: readonly Json[], type: string): Json[] {
  return tags.filter((tag) => typesOf(tag).includes(type));
}

/** The file that the object is about comes first, the images of its text last. */
const withFiles = (attachments: readonly NoteAttachment[], { main, images }: ArticleFiles): NoteAttachment[] =>
  [...(main === undefined ? [] : [main]), ...attachments, ...images].slice(0, maxAttachments);

function parseAttachments(object: Json): NoteAttachment[] {
  return listOf(object['attachment'])
    .filter(isObject)
    .flatMap((item) => {
      const url = urlOf(item['url'] ?? item['href']);
      if (url === undefined) return [];
      const focus = listOf(item['focalPoint']).map(numberOf);
      const icon = item['icon'];
      const mediaType =
        textOf(item, 'mediaType', 255) ??
        listOf(item['url'])
          .filter(isObject)
          .map((link) => link['mediaType'])
          .find((type) => typeof type === 'string');
      const preview = isObject(icon) ? urlOf(icon['url'] ?? icon['href']) : urlOf(icon);
      return [
        {
          url,
          mediaType,
          previewUrl: isHttpUrl(preview) ? preview : undefined,
          description: textOf(item, 'summary', 20_000) ?? textOf(item, 'name', 20_000) ?? '',
          // Checked when it is stored.
          blurhash: textOf(item, 'blurhash', 200),
          duration: durationOf(item['duration']),
          width: numberOf(item['width']),
          height: numberOf(item['height']),
          focus:
            focus[0] !== undefined && focus[1] !== undefined
              ? ([clamp(focus[0]), clamp(focus[1])] as const)
              : undefined,
        },
      ];
    })
    .slice(0, maxAttachments);
}

const clamp = (value: number): number => Math.max(-1, Math.min(1, value));
