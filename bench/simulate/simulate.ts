import { Random } from '../demo/random.ts';
import { EventQueue } from './event-queue.ts';
import { costs, ratesOf, type Cores, type Habits, type Kind } from './model.ts';

type Part = keyof Cores;

export interface Simulation {
  readonly people: number;
  readonly habits: Habits;
  readonly cores: Cores;
  /** Simulated time. */
  readonly seconds: number;
  /** At half of the time, a post enters so many local feeds and is delivered to so many inboxes. */
  readonly burst?: { readonly feeds: number; readonly inboxes: number };
}

export interface SimulationResult {
  /** Share of the time in which the cores of a part are busy. */
  readonly busy: Readonly<Record<Part, number>>;
  /** Seconds from the cause of an operation to its end. */
  readonly delays: Readonly<Record<Kind, { readonly p50: number; readonly p99: number }>>;
  /** Seconds until the last feed and inbox of the burst have it; undefined if that lies after the end. */
  readonly burst: { readonly feeds: number | undefined; readonly inboxes: number | undefined };
}

/** Work for a part, and what follows. */
interface Work {
  readonly at: number;
  readonly kind: Kind;
  readonly part: Part;
  /** When its cause began. */
  readonly since: number;
  /** Operations that are done together. */
  readonly count: number;
  readonly isBurst: boolean;
}

/** Feeds that one transaction of the fan-out writes. */
const feedBatch = 2_000;

/** Simulates queues: each part serves its work in order of arrival, on as many cores as it has. */
export function simulate({ people, habits, cores, seconds, burst }: Simulation): SimulationResult {
  const random = new Random(1);
  const queue = new EventQueue<Work>();
  const rates = ratesOf(people, habits);
  const free = { web: startFree(cores.web), worker: startFree(cores.worker), postgres: startFree(cores.postgres) };
  const busySeconds = { web: 0, worker: 0, postgres: 0 };
  const delays = new Map<Kind, number[]>();
  const burstEnds = { feeds: 0, inboxes: 0 };
  const arrive = (kind: Kind, after: number): void => {
    const at = after - Math.log(1 - random.next()) / rates[kind];
    if (at < seconds) queue.push({ at, kind, part: partOf(kind), since: at, count: 1, isBurst: false });
  };
  for (const kind of ['read', 'post', 'reaction', 'received'] as const) arrive(kind, 0);
  if (burst !== undefined)
    queue.push({ at: seconds / 2, kind: 'post', part: 'web', since: seconds / 2, count: 1, isBurst: true });

  const follow = ({ kind, since, count: done, isBurst }: Work, at: number): void => {
    const later = (next: Kind, count: number): void =>
      queue.push({ at, kind: next, part: 'worker', since, count, isBurst });
    const inboxes = isBurst ? (burst?.inboxes ?? 0) : kind === 'post' ? habits.remoteInboxes : 0;
    if (kind === 'post' || (kind === 'received' && random.chance(habits.receivedPosts / habits.received))) {
      let feeds = isBurst ? (burst?.feeds ?? 0) : habits.localFollowers;
      for (; feeds > 0; feeds -= feedBatch) later('feedEntry', Math.min(feeds, feedBatch));
      for (let inbox = 0; inbox < inboxes; inbox += 1) later('delivery', 1);
    } else if (kind === 'reaction') later('delivery', 1);
    else if (kind === 'feedEntry') later('streamed', Math.round(done * habits.streaming));
  };

  for (let work = queue.pop(); work !== undefined; work = queue.pop()) {
    const { kind, part, since, count, at } = work;
    // Arrivals without a part of their own before it: the next one of this kind.
    if (at === since && part !== 'postgres' && !work.isBurst && isExternal(kind)) arrive(kind, at);
    const service = (costs[kind][part === 'postgres' ? 'postgres' : 'node'] * count) / 1_000;
    const end = serve(free[part], at, service);
    busySeconds[part] += Math.max(0, Math.min(end, seconds) - Math.min(end - service, seconds));
    if (part !== 'postgres' && costs[kind].postgres > 0) {
      queue.push({ ...work, at: end, part: 'postgres' });
      continue;
    }
    const known = delays.get(kind);
    if (known === undefined) delays.set(kind, [end - since]);
    else known.push(end - since);
    if (work.isBurst && kind === 'feedEntry') burstEnds.feeds = Math.max(burstEnds.feeds, end - since);
    if (work.isBurst && kind === 'delivery') burstEnds.inboxes = Math.max(burstEnds.inboxes, end - since);
    follow(work, end);
  }
  const share = (part: Part): number => busySeconds[part] / seconds / cores[part];
  return {
    busy: { web: share('web'), worker: share('worker'), postgres: share('postgres') },
    delays: Object.fromEntries(
      Object.keys(costs).map((kind) => [kind, percentilesOf(delays.get(kind as Kind) ?? [])]),
    ) as SimulationResult['delays'],
    burst: {
      feeds: burstEnds.feeds === 0 ? undefined : burstEnds.feeds,
      inboxes: burstEnds.inboxes === 0 ? undefined : burstEnds.inboxes,
    },
  };
}

const isExternal = (kind: Kind): boolean => ['read', 'post', 'reaction', 'received'].includes(kind);
const partOf = (kind: Kind): Part => (kind === 'received' ? 'worker' : 'web');

interface FreeCore {
  readonly at: number;
}

function startFree(count: number): EventQueue<FreeCore> {
  const cores = new EventQueue<FreeCore>();
  for (let core = 0; core < count; core += 1) cores.push({ at: 0 });
  return cores;
}

/** Takes the core that is free first. Returns when the work ends. */
function serve(cores: EventQueue<FreeCore>, at: number, seconds: number): number {
  const end = Math.max(at, cores.pop()?.at ?? 0) + seconds;
  cores.push({ at: end });
  return end;
}

function percentilesOf(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
