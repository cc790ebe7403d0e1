import type { App } from '../../platform/app.ts';
import { createClaimWorker } from '../../platform/work/claim-loop.ts';
import { inStoredTrace } from '../../platform/tracing/span.ts';
import type { Task } from '../../platform/work/lanes.ts';
import { connectionsPerHost } from '../../platform/outgoing/outgoing-sockets.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { recordEd25519Refusal } from '../ed25519-hosts.ts';
import { claimDeliveries, leaseSeconds, type ClaimedDelivery, type HostState } from './claim-deliveries.ts';
import { isPausedHost } from './paused-hosts.ts';
import { sendActivity, type SendOutcome } from './send-activity.ts';
import { freeDeliveries, recordDeliveries, renewDeliveries, type DeliveryOutcome } from './record-deliveries.ts';

/** One less than the connections to a host, so that fetching from it does not wait for deliveries. */
const maxConcurrencyPerHost = connectionsPerHost - 1;
/** Time that the queue of a host takes at its pace, above which it gets another connection. */
const maxQueueMs = 500;
const successRecordIntervalMs = 3_600_000;

/**
 * Sends due deliveries, one lane per host. A slow host frees its slot after a moment, and some slots are reserved for
 * hosts that accepted a delivery recently.
 */
export const deliveryWorker = createClaimWorker<ClaimedDelivery, DeliveryOutcome>({
  name: 'deliveries',
  limits: {
    fastLanes: 1000,
    slowLanes: 2500,
    reservedLanes: 200,
    batchSize: 500,
    rowsPerLane: 1,
    slowAfterMs: 200,
    recordAfterMs: 25,
  },
  claim: claimDeliveries,
  buildTasks: (app, deliveries) =>
    [...Map.groupBy(deliveries, ({ host }) => host)].flatMap(([host, lane]) => {
      const [first] = lane;
      return first === undefined ? [] : [new HostTask(app, { host, state: first.hostState, deliveries: lane })];
    }),
  recordOutcomes: recordDeliveries,
  renewLeases: renewDeliveries,
  releaseLeases: freeDeliveries,
});

/** The claimed deliveries of one host: one at a time, or a few while its queue is long, until one fails or staff pause it. */
class HostTask implements Task<DeliveryOutcome> {
  readonly lane: string;
  readonly #app: App;
  readonly #pending: ClaimedDelivery[];
  readonly #inFlight = new Set<ClaimedDelivery>();
  readonly #deadline = performance.now() + (leaseSeconds / 2) * 1000;
  #state: HostState;
  /** Deliveries at a time. */
  #concurrency = 1;
  #lastResponseMs = 0;
  #hasStopped = false;

  constructor(app: App, lane: { host: string; state: HostState; deliveries: readonly ClaimedDelivery[] }) {
    this.#app = app;
    this.#pending = [...lane.deliveries];
    this.#state = lane.state;
    this.lane = lane.host;
  }

  get leases(): ClaimedDelivery[] {
    return [...this.#inFlight, ...this.#pending];
  }

  async run(report: (outcome: DeliveryOutcome) => void): Promise<readonly Task<DeliveryOutcome>[]> {
    if (await isBlockedDomain(this.#app, this.lane)) {
      for (const delivery of this.#pending.splice(0)) {
        report({ kind: 'refused', delivery, reason: 'the domain is blocked' });
      }
      return [];
    }
    // The first delivery opens a connection, or finds that the host is down. It does not show the pace of the host.
    await this.#next(report);
    await this.#loop(report);
    for (const outcome of this.release()) report(outcome);
    return [];
  }

  release(): DeliveryOutcome[] {
    return this.#pending.splice(0).map((delivery) => ({ kind: 'released', delivery }));
  }

  async #loop(report: (outcome: DeliveryOutcome) => void): Promise<void> {
    const others: Promise<void>[] = [];
    while (!this.#hasStopped && performance.now() < this.#deadline && (await this.#next(report))) {
      if (this.#hasStopped || !this.#needsConnection()) continue;
      this.#concurrency += 1;
      others.push(this.#loop(report));
    }
    await Promise.all(others);
  }

  /** A new connection costs more than a few deliveries, so a host that answers quickly gets one. */
  #needsConnection(): boolean {
    const queueMs = (this.#pending.length * this.#lastResponseMs) / this.#concurrency;
    return this.#concurrency < maxConcurrencyPerHost && queueMs > maxQueueMs;
  }

  async #next(report: (outcome: DeliveryOutcome) => void): Promise<boolean> {
    if (await isPausedHost(this.#app, this.lane)) this.#hasStopped = true;
    const delivery = this.#hasStopped ? undefined : this.#pending.shift();
    if (delivery === undefined) return false;
    this.#inFlight.add(delivery);
    try {
      const { refusesEd25519 = false, ...outcome } = await inStoredTrace(
        this.#app,
        () => describeDelivery(delivery),
        () => sendActivity(this.#app, delivery, this.#state),
      );
      if (refusesEd25519) await this.#useRsa();
      report(this.#outcomeOf(delivery, outcome));
    } catch (error) {
      // A local failure: the host is not to blame.
      this.#hasStopped = true;
      this.#app.reportJobFailure(`deliver to ${this.lane}`, error);
      report({ kind: 'failed', delivery, reason: String(error), isFailureOfHost: false });
    } finally {
      this.#inFlight.delete(delivery);
    }
    return true;
  }

  #outcomeOf(delivery: ClaimedDelivery, outcome: SendOutcome): DeliveryOutcome {
    switch (outcome.kind) {
      case 'done':
        this.#lastResponseMs = outcome.responseMs;
        return { kind: 'delivered', delivery, newDialect: this.#newDialect(outcome.dialect) };
      case 'refused':
      case 'gone':
      case 'not_found':
        return { kind: outcome.kind, reason: outcome.reason, delivery };
      case 'deferred':
        this.#hasStopped = true;
        return { ...outcome, delivery };
      case 'failed': {
        // Two concurrent failures count as one failure of the host.
        const isFailureOfHost = !this.#hasStopped;
        this.#hasStopped = true;
        return { kind: 'failed', reason: outcome.reason, delivery, isFailureOfHost };
      }
    }
  }

  async #useRsa(): Promise<void> {
    this.#state = { ...this.#state, acceptsEd25519: false };
    await recordEd25519Refusal(this.#app, this.lane);
  }

  /** Returns the dialect that a host accepted if it must be stored: a new one, or at most once an hour. */
  #newDialect(dialect: HostState['dialect']): HostState['dialect'] | undefined {
    const now = this.#app.clock.now();
    const { failures, lastSuccessAt, dialect: storedDialect, acceptsEd25519 } = this.#state;
    const isRecent = lastSuccessAt !== undefined && now.getTime() - lastSuccessAt.getTime() < successRecordIntervalMs;
    if (isRecent && failures === 0 && storedDialect === dialect) return undefined;
    this.#state = { dialect, acceptsEd25519, failures: 0, lastSuccessAt: now };
    return dialect;
  }
}

const describeDelivery = ({ host, attempts, activity: { traceParent } }: ClaimedDelivery) =>
  ({
    name: 'deliver activity',
    kind: 'consumer',
    attributes: {
      'messaging.system': 'fieldfare',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'deliver',
      'messaging.destination.name': 'deliveries',
      'server.address': host,
      'fieldfare.job.attempt': attempts,
    },
    traceParent,
  }) as const;
