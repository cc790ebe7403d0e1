import { propertyTerm, propertyTerms, wordTerms } from '../../server/search/index.ts';
import type { AccountId, StatusId } from '../../server/platform/ids.ts';
import { splitWords } from '../../server/text/index.ts';
import { copyNull, escapeCopyText } from './copy-buffer.ts';
import { NotificationGenerator, notificationWindowMs } from './notification-generator.ts';
import type { Person } from './people.ts';
import { type Place, pickPlace } from './places.ts';
import { createPostBuffers } from './post-buffers.ts';
import type { Random } from './random.ts';
import { ThreadGenerator } from './thread-generator.ts';
import { contentWarnings } from './vocabulary.ts';
import type { PostBody } from './generate-bodies.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const reblogShare = 0.12;
const replyShare = 0.28;
const quoteShare = 0.03;
/** Posts that begin with a place. */
const placeShare = 0.5;
/** `statuses.quote_policy` of posts that everyone may quote. */
const publicQuotePolicy = 2;

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
const publicVisibility = 0;
const unlistedVisibility = 1;
const directVisibility = 3;

export interface PostGeneratorOptions {
  readonly random: Random;
  readonly people: readonly Person[];
  readonly bodies: readonly PostBody[];
  readonly tagIds: readonly string[];
  readonly statuses: number;
  readonly now: number;
}

/** Generates a year of posts in order of time, with their favourites, mentions, quotes and counters. */
export class PostGenerator {
  readonly buffers = createPostBuffers();
  readonly threads: ThreadGenerator;
  readonly notifications: NotificationGenerator;
  /** By index of the author. */
  readonly statusCounts: Int32Array;
  readonly lastPostedAt: Float64Array;
  readonly #options: PostGeneratorOptions;
  readonly #time: Float64Array;
  readonly #author: Int32Array;
  readonly #visibility: Uint8Array;
  readonly #root: Int32Array;
  readonly #isReblog: Uint8Array;
  readonly #replies: Int32Array;
  readonly #reblogs: Int32Array;
  readonly #favourites: Int32Array;
  readonly #quotes: Int32Array;
  readonly #reblogged = new Set<number>();

  constructor(options: PostGeneratorOptions) {
    const { statuses, people, random, now } = options;
    this.#options = options;
    this.notifications = new NotificationGenerator(people, now, this.buffers.notifications);
    this.threads = new ThreadGenerator(random, statuses);
    this.statusCounts = new Int32Array(people.length);
    this.lastPostedAt = new Float64Array(people.length);
    this.#time = new Float64Array(statuses);
    this.#author = new Int32Array(statuses);
    this.#visibility = new Uint8Array(statuses);
    this.#root = new Int32Array(statuses);
    this.#isReblog = new Uint8Array(statuses);
    this.#replies = new Int32Array(statuses);
    this.#reblogs = new Int32Array(statuses);
    this.#favourites = new Int32Array(statuses);
    this.#quotes = new Int32Array(statuses);
  }

  /** Generates the status at `place`. Call it for each place in order. */
  generate(place: number): void {
    const { random, people, now, statuses } = this.#options;
    // Posts get more frequent over the year.
    this.#time[place] = Math.floor(now - 365 * dayMs + 365 * dayMs * ((place + 0.5) / statuses) ** 0.8);
    const author = random.skewed(people.length, 1.6);
    this.#author[place] = author;
    this.#root[place] = place;
    if (this.threads.startThread(place)) this.#addPost(place, author, publicVisibility);
    else if (place > 100 && random.chance(reblogShare)) this.#addReblog(place, author);
    else this.#addPostOrReply(place, author);
    this.lastPostedAt[author] = this.#time[place] ?? 0;
  }

  idAt(place: number): string {
    return demoId(this.#time[place] ?? 0, place);
  }

  /** Yields the counters of all statuses that have any. */
  *statsRows(): Generator<string> {
    for (let place = 0; place < this.#options.statuses; place += 1) {
      const counts = [this.#replies, this.#reblogs, this.#favourites, this.#quotes].map((kind) => kind[place] ?? 0);
      if (counts.some((count) => count > 0)) yield [this.idAt(place), ...counts].join('\t');
    }
  }

  #addPostOrReply(place: number, author: number): void {
    const { random } = this.#options;
    const parent =
      this.threads.pickParent(place) ??
      (place > 100 && random.chance(replyShare) ? this.#pickRecentPost(place) : undefined);
    if (parent === undefined) {
      const dice = random.next();
      this.#addPost(
        place,
        author,
        dice < 0.8 ? publicVisibility : dice < 0.92 ? unlistedVisibility : dice < 0.98 ? 2 : directVisibility,
      );
      return;
    }
    this.#addPost(place, author, random.chance(0.8) ? (this.#visibility[parent] ?? 0) : unlistedVisibility, parent);
  }

  /** Returns the place of a recent public post, mostly a new one. */
  #pickRecentPost(place: number): number | undefined {
    const { random } = this.#options;
    for (let tries = 0; tries < 6; tries += 1) {
      const found = place - 1 - random.skewed(Math.min(place, 3_000), 1.7);
      if (this.#isReblog[found] === 0 && (this.#visibility[found] ?? directVisibility) <= unlistedVisibility)
        return found;
    }
    return undefined;
  }

  #addReblog(place: number, author: number): void {
    const { people, random } = this.#options;
    const original = this.#pickRecentPost(place);
    const key = author * this.#options.statuses + (original ?? 0);
    if (original === undefined || this.#reblogged.has(key)) {
      this.#addPost(place, author, publicVisibility);
      return;
    }
    this.#reblogged.add(key);
    this.#isReblog[place] = 1;
    this.#reblogs[original] = (this.#reblogs[original] ?? 0) + 1;
    const person = people[author] as Person;
    const id = this.idAt(place);
    const uri = `${person.uri}/statuses/${id}/activity`;
    this.#addStatus(place, {
      uri,
      url: uri,
      visibility: random.chance(0.9) ? publicVisibility : unlistedVisibility,
      reblogOfId: this.idAt(original),
    });
    this.notifications.add('reblog', {
      to: this.#author[original] ?? 0,
      from: author,
      statusId: this.idAt(original),
      id,
      at: this.#time[place] ?? 0,
    });
  }

  #addPost(place: number, author: number, visibility: number, parent?: number): void {
    const { people, random, bodies } = this.#options;
    const person = people[author] as Person;
    const id = this.idAt(place);
    const body = random.pick(bodies);
    const at = random.chance(placeShare) ? pickPlace(random, body.language) : undefined;
    const parentAuthor = parent === undefined ? undefined : (this.#author[parent] ?? 0);
    const mentioned = this.#pickMentioned(author, visibility, parentAuthor);
    if (parent !== undefined) this.#root[place] = this.#root[parent] ?? parent;
    else this.buffers.conversations.add(`${id}\t${this.#iso(place)}`);
    if (parent !== undefined && visibility <= unlistedVisibility)
      this.#replies[parent] = (this.#replies[parent] ?? 0) + 1;
    const warning = random.chance(0.03) ? random.pick(contentWarnings) : '';
    const mentions = mentioned.map((index) => (people[index] as Person).mention);
    this.#addStatus(place, {
      uri: `${person.uri}/statuses/${id}`,
      url: `${person.url}/${id}`,
      visibility,
      text: person.domain === null ? `${mentions.map(({ text }) => text).join('')}${at?.prefix ?? ''}${body.text}` : '',
      content: `<p>${mentions.map(({ content }) => content).join('')}${at?.prefix ?? ''}${body.content}`,
      language: body.language,
      spoilerText: warning,
      ...(parent !== undefined && {
        parent: this.idAt(parent),
        parentAuthor: people[parentAuthor ?? 0]?.id ?? copyNull,
        isReply: parentAuthor !== author,
      }),
    });
    this.#addSearchEntry(place, author, { mentioned, body, warning, at, isAnswer: parent !== undefined });
    this.#addMentions(place, author, mentioned);
    this.#addAttachedRows(place, author, { visibility, mentioned, isTalk: parent !== undefined, body });
  }

  /** Adds the rows that depend on the visibility of a post. */
  #addAttachedRows(
    place: number,
    author: number,
    post: { visibility: number; mentioned: readonly number[]; isTalk: boolean; body: PostBody },
  ): void {
    if (post.visibility === directVisibility) {
      this.#addConversation(place, [author, ...post.mentioned]);
      return;
    }
    if (post.visibility === publicVisibility) {
      for (const tag of post.body.tags) this.buffers.tags.add(`${this.#options.tagIds[tag]}\t${this.idAt(place)}`);
      if (!post.isTalk && this.#options.random.chance(quoteShare)) this.#addQuote(place, author);
    }
    this.#addFavourites(place, author);
  }

  /** Adds the search entry, from the terms that each body was given once. */
  #addSearchEntry(place: number, author: number, { mentioned, body, warning, at, isAnswer }: SearchedPost): void {
    const { people } = this.#options;
    const person = people[author] as Person;
    const id = this.idAt(place) as StatusId;
    const mentions = mentioned.map((index) => people[index] as Person);
    const terms = new Set([
      ...propertyTerms({
        id,
        accountId: person.id as AccountId,
        language: body.language,
      }),
      ...(isAnswer ? [propertyTerm.is('reply')] : []),
      ...(warning === '' ? [] : [propertyTerm.is('sensitive'), ...wordTerms(splitWords(warning))]),
      ...mentions.flatMap(({ mention }) => (person.domain === null ? mention.textTerms : mention.contentTerms)),
      ...(at?.terms ?? []),
      ...body.terms,
    ]);
    this.buffers.search.add(`${id}\t{${[...terms].join(',')}}`);
  }

  /** Adds the conversation of a direct post for each local participant. */
  #addConversation(place: number, parts: readonly number[]): void {
    const { people, now } = this.#options;
    const id = this.idAt(place);
    const at = this.#time[place] ?? 0;
    const ids = parts.map((index) => BigInt((people[index] as Person).id)).toSorted((a, b) => (a < b ? -1 : 1));
    for (const [index, part] of parts.entries()) {
      const { id: accountId, domain } = people[part] as Person;
      if (domain !== null) continue;
      const others = ids.filter((other) => other !== BigInt(accountId)).join(',');
      const unread = index > 0 && at > now - notificationWindowMs;
      this.buffers.accountConversations.add(
        [demoId(at + index, place), accountId, id, `{${others}}`, `{${id}}`, id, unread].join('\t'),
      );
    }
  }

  #addQuote(place: number, author: number): void {
    const { people } = this.#options;
    const quoted = this.#pickRecentPost(place);
    if (quoted === undefined) return;
    const [from, to] = [people[author] as Person, people[this.#author[quoted] ?? 0] as Person];
    const id = this.idAt(place);
    const quotedId = this.idAt(quoted);
    const approval = to.domain === null || from === to ? copyNull : `${to.uri}/quote_authorizations/${id}`;
    this.buffers.quotes.add(
      [id, id, from.id, quotedId, to.id, `${to.uri}/statuses/${quotedId}`, 'accepted', approval, this.#iso(place)].join(
        '\t',
      ),
    );
    this.#quotes[quoted] = (this.#quotes[quoted] ?? 0) + 1;
    const at = this.#time[place] ?? 0;
    this.notifications.add('quote', {
      to: this.#author[quoted] ?? 0,
      from: author,
      statusId: id,
      id: demoId(at + 1, place),
      at,
    });
  }

  #addMentions(place: number, author: number, mentioned: readonly number[]): void {
    const id = this.idAt(place);
    const at = this.#time[place] ?? 0;
    for (const [index, to] of mentioned.entries()) {
      this.buffers.mentions.add([demoId(at + index, place), id, this.#options.people[to]?.id, 'f'].join('\t'));
      this.notifications.add('mention', { to, from: author, statusId: id, id, at });
    }
  }

  /**
   * Picks who a post mentions: the author that it replies to, now and then someone else, and in a direct post at least
   * one.
   */
  #pickMentioned(author: number, visibility: number, parentAuthor: number | undefined): number[] {
    const { random, people } = this.#options;
    const mentioned = new Set<number>();
    if (parentAuthor !== undefined) mentioned.add(parentAuthor);
    if (random.chance(0.04) || (visibility === directVisibility && mentioned.size === 0))
      mentioned.add(random.skewed(people.length, 1.6));
    mentioned.delete(author);
    return [...mentioned];
  }

  #addStatus(place: number, status: StatusRow): void {
    const author = this.#options.people[this.#author[place] ?? 0] as Person;
    this.#visibility[place] = status.visibility;
    if (status.visibility !== directVisibility)
      this.statusCounts[this.#author[place] ?? 0] = (this.statusCounts[this.#author[place] ?? 0] ?? 0) + 1;
    const policy = status.reblogOfId === undefined && status.visibility <= unlistedVisibility ? publicQuotePolicy : 0;
    const conversation = status.reblogOfId === undefined ? this.idAt(this.#root[place] ?? place) : copyNull;
    this.buffers.statuses.add(
      `${this.idAt(place)}\t${author.id}\t${status.uri}\t${status.url}\t${author.domain === null}\t${status.text ?? ''}\t${status.content ?? ''}\t${escapeCopyText(status.spoilerText ?? '')}\t${(status.spoilerText ?? '') !== ''}\t${status.language ?? copyNull}\t${visibilities[status.visibility]}\t${status.parent ?? copyNull}\t${status.parentAuthor ?? copyNull}\t${status.isReply ?? false}\t${status.reblogOfId ?? copyNull}\t${conversation}\t${policy}\t${this.#iso(place)}`,
    );
  }

  /** Most posts get no favourite or one, those of popular people several, a few very many. */
  #addFavourites(place: number, author: number): void {
    const { random, people, now } = this.#options;
    const fame = author < people.length / 20 ? 4 : 0.9;
    const target = random.chance(0.0005) ? 50 + random.below(250) : Math.floor(-Math.log(1 - random.next()) * fame);
    const count = Math.min(target, Math.floor(people.length / 3));
    if (count === 0) return;
    const id = this.idAt(place);
    const fans = new Set<number>();
    while (fans.size < count) fans.add(random.below(people.length));
    fans.delete(author);
    let index = 0;
    for (const fan of fans) {
      index += 1;
      const at = Math.min((this.#time[place] ?? 0) + index * minuteMs, now);
      const row = demoId((this.#time[place] ?? 0) + index * minuteMs, place);
      const person = people[fan];
      const uri = person === undefined || person.domain === null ? copyNull : `${person.uri}#likes/${row}`;
      this.buffers.favourites.add(`${row}\t${person?.id}\t${id}\t${new Date(at).toISOString()}\t${uri}`);
      this.notifications.add('favourite', { to: author, from: fan, statusId: id, id: row, at });
    }
    this.#favourites[place] = fans.size;
  }

  #iso(place: number): string {
    return new Date(this.#time[place] ?? 0).toISOString();
  }
}

/** What a post is found by. */
interface SearchedPost {
  readonly mentioned: readonly number[];
  readonly body: PostBody;
  readonly warning: string;
  readonly at: Place | undefined;
  readonly isAnswer: boolean;
}

interface StatusRow {
  readonly uri: string;
  readonly url: string;
  readonly visibility: number;
  readonly text?: string;
  readonly content?: string;
  readonly spoilerText?: string;
  readonly language?: string;
  readonly parent?: string;
  readonly parentAuthor?: string;
  readonly isReply?: boolean;
  readonly reblogOfId?: string;
}

/** Returns an id that sorts by time. Its low bits are a place in a list, so that ids of one millisecond differ. */
export function demoId(time: number, place: number): string {
  return ((BigInt(Math.floor(time)) << 16n) | BigInt(place & 0xffff)).toString();
}
