import { vectorOf } from '../../search/index.ts';
import { splitWords } from '../../text/index.ts';
import { copyNull, copyText } from './copy.ts';
import { Notices, told } from './notices.ts';
import type { Person } from './people.ts';
import { postBuffers } from './post-buffers.ts';
import type { Random } from './random.ts';
import { Threads } from './threads.ts';
import { warnings } from './words.ts';
import type { Body } from './writing.ts';

const day = 86_400_000;
const minute = 60_000;
const shareReblogs = 0.12;
const shareReplies = 0.28;
const shareQuotes = 0.03;
/** `statuses.quote_policy` of those that everybody may quote without asking. */
const anybodyAtOnce = 2;

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
const isPublic = 0;
const isUnlisted = 1;
const isDirect = 3;

/** What the posts of a demonstration are made of. */
export interface PostsOptions {
  readonly random: Random;
  readonly people: readonly Person[];
  readonly bodies: readonly Body[];
  readonly tagIds: readonly string[];
  readonly statuses: number;
  readonly now: number;
}

/** A year of posts, made one by one in the order of time, with all that hangs on them; counts what the counters need. */
export class Posts {
  readonly buffers = postBuffers();
  readonly threads: Threads;
  readonly notices: Notices;
  /** By the place of the author. */
  readonly posted: Int32Array;
  readonly lastPost: Float64Array;
  readonly #o: PostsOptions;
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

  constructor(options: PostsOptions) {
    const { statuses, people, random, now } = options;
    this.#o = options;
    this.notices = new Notices(people, now, this.buffers.notifications);
    this.threads = new Threads(random, statuses);
    this.posted = new Int32Array(people.length);
    this.lastPost = new Float64Array(people.length);
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

  /** Makes the status at `place`; places are made in order. */
  make(place: number): void {
    const { random, people, now, statuses } = this.#o;
    // The server is busier now than a year ago.
    this.#time[place] = Math.floor(now - 365 * day + 365 * day * ((place + 0.5) / statuses) ** 0.8);
    const author = random.skewed(people.length, 1.6);
    this.#author[place] = author;
    this.#root[place] = place;
    if (this.threads.begins(place)) this.#makePost(place, author, isPublic);
    else if (place > 100 && random.chance(shareReblogs)) this.#makeReblog(place, author);
    else this.#makeTalk(place, author);
    this.lastPost[author] = this.#time[place] ?? 0;
  }

  /** Id of the status at a place. */
  idAt(place: number): string {
    return idOf(this.#time[place] ?? 0, place);
  }

  /** Rows of the counters of all statuses that anybody reacted to. */
  *statsRows(): Generator<string> {
    for (let place = 0; place < this.#o.statuses; place += 1) {
      const counts = [this.#replies, this.#reblogs, this.#favourites, this.#quotes].map((kind) => kind[place] ?? 0);
      if (counts.some((count) => count > 0)) yield [this.idAt(place), ...counts].join('\t');
    }
  }

  #makeTalk(place: number, author: number): void {
    const { random } = this.#o;
    const parent =
      this.threads.grow(place) ?? (place > 100 && random.chance(shareReplies) ? this.#recent(place) : undefined);
    if (parent === undefined) {
      const dice = random.next();
      this.#makePost(place, author, dice < 0.8 ? isPublic : dice < 0.92 ? isUnlisted : dice < 0.98 ? 2 : isDirect);
      return;
    }
    this.#makePost(place, author, random.chance(0.8) ? (this.#visibility[parent] ?? 0) : isUnlisted, parent);
  }

  /** The place of a post of lately that anybody may answer or reblog, the newest first. */
  #recent(place: number): number | undefined {
    const { random } = this.#o;
    for (let tries = 0; tries < 6; tries += 1) {
      const found = place - 1 - random.skewed(Math.min(place, 3_000), 1.7);
      if (this.#isReblog[found] === 0 && (this.#visibility[found] ?? isDirect) <= isUnlisted) return found;
    }
    return undefined;
  }

  #makeReblog(place: number, author: number): void {
    const { people, random } = this.#o;
    const original = this.#recent(place);
    const key = author * this.#o.statuses + (original ?? 0);
    if (original === undefined || this.#reblogged.has(key)) {
      this.#makePost(place, author, isPublic);
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
      visibility: random.chance(0.9) ? isPublic : isUnlisted,
      reblogOf: this.idAt(original),
    });
    this.notices.add('reblog', {
      to: this.#author[original] ?? 0,
      from: author,
      about: this.idAt(original),
      id,
      at: this.#time[place] ?? 0,
    });
  }

  #makePost(place: number, author: number, visibility: number, parent?: number): void {
    const { people, random, bodies } = this.#o;
    const person = people[author] as Person;
    const id = this.idAt(place);
    const body = random.pick(bodies);
    const answered = parent === undefined ? undefined : (this.#author[parent] ?? 0);
    const named = this.#namedPeople(author, visibility, answered);
    if (parent !== undefined) this.#root[place] = this.#root[parent] ?? parent;
    else this.buffers.conversations.add(`${id}\t${this.#iso(place)}`);
    if (parent !== undefined && visibility <= isUnlisted) this.#replies[parent] = (this.#replies[parent] ?? 0) + 1;
    const warning = random.chance(0.03) ? random.pick(warnings) : '';
    const mentions = named.map((index) => (people[index] as Person).mention);
    this.#addStatus(place, {
      uri: `${person.uri}/statuses/${id}`,
      url: `${person.url}/${id}`,
      visibility,
      text: person.domain === null ? `${mentions.map(({ text }) => text).join('')}${body.text}` : '',
      content: `<p>${mentions.map(({ content }) => content).join('')}${body.content}`,
      language: body.language,
      warning,
      ...(parent !== undefined && {
        parent: this.idAt(parent),
        parentAuthor: people[answered ?? 0]?.id ?? copyNull,
        isReply: answered !== author,
      }),
    });
    this.#addWords(place, author, { named, body, warning });
    this.#addMentions(place, author, named);
    this.#spread(place, author, { visibility, named, isTalk: parent !== undefined, body });
  }

  /** What hangs on a post by whom it is for. */
  #spread(
    place: number,
    author: number,
    post: { visibility: number; named: readonly number[]; isTalk: boolean; body: Body },
  ): void {
    if (post.visibility === isDirect) {
      this.#addTalks(place, [author, ...post.named]);
      return;
    }
    if (post.visibility === isPublic) {
      for (const tag of post.body.tags) this.buffers.tags.add(`${this.#o.tagIds[tag]}\t${this.idAt(place)}`);
      if (!post.isTalk && this.#o.random.chance(shareQuotes)) this.#quote(place, author);
    }
    this.#favour(place, author);
  }

  /** What the search finds it by, without cutting the same texts into words a hundred times. */
  #addWords(
    place: number,
    author: number,
    { named, body, warning }: { named: readonly number[]; body: Body; warning: string },
  ): void {
    const { people } = this.#o;
    const person = people[author] as Person;
    const isLocal = person.domain === null;
    const names = named.flatMap((index) => {
      const { textWords, contentWords } = (people[index] as Person).mention;
      return isLocal ? textWords : contentWords;
    });
    const words = vectorOf([splitWords(warning), [...names, ...body.words]]);
    this.buffers.search.add(`${this.idAt(place)}\t${person.id}\t${copyText(words)}`);
  }

  /** A direct post begins a conversation, which each of those on this server who take part has in their list. */
  #addTalks(place: number, parts: readonly number[]): void {
    const { people, now } = this.#o;
    const id = this.idAt(place);
    const at = this.#time[place] ?? 0;
    const ids = parts.map((index) => BigInt((people[index] as Person).id)).toSorted((a, b) => (a < b ? -1 : 1));
    for (const [index, part] of parts.entries()) {
      const { id: accountId, domain } = people[part] as Person;
      if (domain !== null) continue;
      const others = ids.filter((other) => other !== BigInt(accountId)).join(',');
      const unread = index > 0 && at > now - told;
      this.buffers.talks.add([idOf(at + index, place), accountId, id, `{${others}}`, `{${id}}`, id, unread].join('\t'));
    }
  }

  #quote(place: number, author: number): void {
    const { people } = this.#o;
    const quoted = this.#recent(place);
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
    this.notices.add('quote', { to: this.#author[quoted] ?? 0, from: author, about: id, id: idOf(at + 1, place), at });
  }

  #addMentions(place: number, author: number, named: readonly number[]): void {
    const id = this.idAt(place);
    const at = this.#time[place] ?? 0;
    for (const [index, to] of named.entries()) {
      this.buffers.mentions.add([idOf(at + index, place), id, this.#o.people[to]?.id, 'f'].join('\t'));
      this.notices.add('mention', { to, from: author, about: id, id, at });
    }
  }

  /** Who is named: whom it answers, somebody now and then, and always somebody in a direct post. */
  #namedPeople(author: number, visibility: number, answered: number | undefined): number[] {
    const { random, people } = this.#o;
    const named = new Set<number>();
    if (answered !== undefined) named.add(answered);
    if (random.chance(0.04) || (visibility === isDirect && named.size === 0))
      named.add(random.skewed(people.length, 1.6));
    named.delete(author);
    return [...named];
  }

  #addStatus(place: number, status: StatusRow): void {
    const author = this.#o.people[this.#author[place] ?? 0] as Person;
    this.#visibility[place] = status.visibility;
    if (status.visibility !== isDirect)
      this.posted[this.#author[place] ?? 0] = (this.posted[this.#author[place] ?? 0] ?? 0) + 1;
    const policy = status.reblogOf === undefined && status.visibility <= isUnlisted ? anybodyAtOnce : 0;
    const conversation = status.reblogOf === undefined ? this.idAt(this.#root[place] ?? place) : copyNull;
    this.buffers.statuses.add(
      `${this.idAt(place)}\t${author.id}\t${status.uri}\t${status.url}\t${author.domain === null}\t${status.text ?? ''}\t${status.content ?? ''}\t${copyText(status.warning ?? '')}\t${(status.warning ?? '') !== ''}\t${status.language ?? copyNull}\t${visibilities[status.visibility]}\t${status.parent ?? copyNull}\t${status.parentAuthor ?? copyNull}\t${status.isReply ?? false}\t${status.reblogOf ?? copyNull}\t${conversation}\t${policy}\t${this.#iso(place)}`,
    );
  }

  /** Most posts please nobody or one, those of the popular several, a few very many. */
  #favour(place: number, author: number): void {
    const { random, people, now } = this.#o;
    const fame = author < people.length / 20 ? 4 : 0.9;
    const wanted = random.chance(0.0005) ? 50 + random.below(250) : Math.floor(-Math.log(1 - random.next()) * fame);
    const count = Math.min(wanted, Math.floor(people.length / 3));
    if (count === 0) return;
    const id = this.idAt(place);
    const fans = new Set<number>();
    while (fans.size < count) fans.add(random.below(people.length));
    fans.delete(author);
    let index = 0;
    for (const fan of fans) {
      index += 1;
      const at = Math.min((this.#time[place] ?? 0) + index * minute, now);
      const row = idOf((this.#time[place] ?? 0) + index * minute, place);
      this.buffers.favourites.add(`${row}\t${people[fan]?.id}\t${id}\t${new Date(at).toISOString()}`);
      this.notices.add('favourite', { to: author, from: fan, about: id, id: row, at });
    }
    this.#favourites[place] = fans.size;
  }

  #iso(place: number): string {
    return new Date(this.#time[place] ?? 0).toISOString();
  }
}

interface StatusRow {
  readonly uri: string;
  readonly url: string;
  readonly visibility: number;
  readonly text?: string;
  readonly content?: string;
  readonly warning?: string;
  readonly language?: string;
  readonly parent?: string;
  readonly parentAuthor?: string;
  readonly isReply?: boolean;
  readonly reblogOf?: string;
}

/** A time-sortable id whose low bits are the place in a list: two of the same millisecond never share it. */
export function idOf(time: number, place: number): string {
  return ((BigInt(Math.floor(time)) << 16n) | BigInt(place & 0xffff)).toString();
}
