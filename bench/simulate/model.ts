/** CPU of one operation in milliseconds, from docs/benchmarks.md. */
interface Cost {
  readonly node: number;
  readonly postgres: number;
}

/** What causes work on a server. */
export type Kind = 'read' | 'post' | 'reaction' | 'received' | 'feedEntry' | 'delivery' | 'streamed';

/**
 * Medians of the sections "Benchmarks", "Federation" and "Streams". A feed entry: the post to 8,020 followers; that a quarter
 * of it is Node is estimated.
 */
export const costs: Readonly<Record<Kind, Cost>> = {
  read: { node: 0.47, postgres: 0.093 },
  post: { node: 1.01, postgres: 0.653 },
  reaction: { node: 0.92, postgres: 0.773 },
  received: { node: 0.78, postgres: 0.47 },
  feedEntry: { node: 0.007, postgres: 0.02 },
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
  /** Local home feeds that a post or received activity enters. */
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
  localFollowers: 40,
  remoteInboxes: 60,
  peak: 2.5,
  streaming: 0.15,
};

const daySeconds = 86_400;

/** Returns the operations in a second at the peak. Those that others cause are included. */
export function ratesOf(people: number, of: Habits): Readonly<Record<Kind, number>> {
  const perSecond = (perDay: number): number => (people * perDay * of.peak) / daySeconds;
  const entries = (of.posts + of.received) * of.localFollowers;
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
