/** CPU of one operation in milliseconds, from docs/benchmarks.md. */
interface Cost {
  readonly node: number;
  readonly postgres: number;
}

/** What causes work on a server. */
export type Kind = 'read' | 'post' | 'reaction' | 'received' | 'feedEntry' | 'delivery' | 'streamed';

/**
 * Medians of the sections "Benchmarks", "Federation" and "Streams". A feed entry: eight posts to 8,004 followers with stored
 * feeds, until the jobs were done, on 200,000 posts (28 November 2026).
 */
export const costs: Readonly<Record<Kind, Cost>> = {
  read: { node: 0.47, postgres: 0.093 },
  post: { node: 1.01, postgres: 0.653 },
  reaction: { node: 0.92, postgres: 0.773 },
  received: { node: 0.78, postgres: 0.47 },
  feedEntry: { node: 0.014, postgres: 0.029 },
  delivery: { node: 0.53, postgres: 0.07 },
  streamed: { node: 0.009, postgres: 0 },
};

/** How people use a server: assumptions, which a running server replaces by its own measures. For one active person and day. */
export interface Habits {
  readonly reads: number;
  readonly posts: number;
  readonly reactions: number;
  /** Activities of other servers that arrive because of the person. */
  readonly received: number;
  /** Those of them that are posts or boosts, and those that are favourites. */
  readonly receivedPosts: number;
  readonly receivedReactions: number;
  /** Local home feeds that a post of the person, or a received one, enters. */
  readonly localFollowers: number;
  /** Inboxes of other servers that a post is delivered to. */
  readonly remoteInboxes: number;
  /** The busiest hour, in times of the mean. */
  readonly peak: number;
  /** Share of the active people who have a stream open at the peak. */
  readonly streaming: number;
}

export const habits: Habits = {
  reads: 250,
  posts: 3,
  reactions: 10,
  received: 40,
  receivedPosts: 20,
  receivedReactions: 12,
  localFollowers: 40,
  remoteInboxes: 60,
  peak: 2.5,
  streaming: 0.15,
};

const daySeconds = 86_400;

/** Entries in home feeds, for one person and day. */
const feedEntriesOf = (of: Habits): number => (of.posts + of.receivedPosts) * of.localFollowers;

/** Returns the operations in a second at the peak. Those that others cause are included. */
export function ratesOf(people: number, of: Habits): Readonly<Record<Kind, number>> {
  const perSecond = (perDay: number): number => (people * perDay * of.peak) / daySeconds;
  const entries = feedEntriesOf(of);
  return {
    read: perSecond(of.reads),
    post: perSecond(of.posts),
    reaction: perSecond(of.reactions),
    received: perSecond(of.received),
    feedEntry: perSecond(entries),
    delivery: perSecond(of.posts * of.remoteInboxes + of.reactions),
    streamed: perSecond(entries * of.streaming),
  };
}

/** Cores that operations at these rates keep busy. */
export function coresOf(rates: Readonly<Partial<Record<Kind, number>>>): Cost {
  let [node, postgres] = [0, 0];
  for (const [kind, rate] of Object.entries(rates) as [Kind, number][]) {
    node += (rate * costs[kind].node) / 1_000;
    postgres += (rate * costs[kind].postgres) / 1_000;
  }
  return { node, postgres };
}

/** Bytes of a row with its indexes, of the section "Ten million posts". A post: with its search entry, conversation and counters. */
export const rowBytes = { post: 1_170, reaction: 221, feedEntry: 124 } as const;

/** Memory of an idle stream in bytes, of the section "Streams". */
export const streamBytes = 6_700;

/** Returns the bytes that a day adds to the database. Of the entries in feeds, trimming deletes most again. */
export const dailyBytes = (people: number, of: Habits): Readonly<Record<keyof typeof rowBytes, number>> => ({
  post: people * (of.posts + of.receivedPosts) * rowBytes.post,
  reaction: people * (of.reactions + of.receivedReactions) * rowBytes.reaction,
  feedEntry: people * feedEntriesOf(of) * rowBytes.feedEntry,
});

/** Work that workers do. Web processes do the rest. */
const workerKinds: ReadonlySet<string> = new Set<Kind>(['received', 'feedEntry', 'delivery', 'streamed']);

/** Cores of each part. Requests and stored work have processes of their own, as docs/scaling.md recommends. */
export interface Cores {
  readonly web: number;
  readonly worker: number;
  readonly postgres: number;
}

/** Returns the cores that a server keeps busy at the peak. */
export function busyCores(people: number, of: Habits): Cores {
  const rates = ratesOf(people, of);
  const entries = Object.entries(rates);
  const nodeOf = (isWorker: boolean): number =>
    coresOf(Object.fromEntries(entries.filter(([kind]) => workerKinds.has(kind) === isWorker))).node;
  return { web: nodeOf(false), worker: nodeOf(true), postgres: coresOf(rates).postgres };
}

/** Returns the cores, and so the processes, that are busy for this share of the peak. */
export function neededCores(people: number, of: Habits, busy: number): Cores {
  const { web, worker, postgres } = busyCores(people, of);
  return { web: Math.ceil(web / busy), worker: Math.ceil(worker / busy), postgres: Math.ceil(postgres / busy) };
}
