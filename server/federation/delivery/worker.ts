import { perApp, type App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { claimDeliveries, hostStates, leaseSeconds, type ClaimedDelivery, type HostState } from './claim-deliveries.ts';
import { sendActivity, type Outcome } from './send-activity.ts';
import {
  deleteDeliveries,
  forgetInbox,
  later,
  noteFailure,
  noteSuccess,
  pauseHost,
  releaseDeliveries,
  retryLater,
} from './settle-deliveries.ts';

const mostInFlight = 1000;
const perHost = 2;
const successNotedEvery = 3_600_000;
const unknownHost: HostState = { dialect: 'cavage', failures: 0, lastSuccessAt: undefined };

/** What this process is sending at the moment. */
class Courier {
  readonly busyHosts = new Set<string>();
  inFlight = 0;
  #done: ClaimedDelivery[] = [];
  #progress = Promise.withResolvers<void>();

  /** Resolves when something was delivered or a host is done with. */
  get progress(): Promise<void> {
    return this.#progress.promise;
  }

  delivered(delivery: ClaimedDelivery): void {
    this.#done.push(delivery);
    this.advance();
  }

  advance(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }

  takeDone(): ClaimedDelivery[] {
    return this.#done.splice(0);
  }
}

const couriers = perApp(() => new Courier());

/**
 * Sends what is due. Hosts do not wait for each other: a round ends when anything has come back, not when all has, and
 * the next round takes work for hosts that are free.
 */
export const deliveryWorker: Worker = {
  name: 'deliveries',
  async run(app) {
    const courier = couriers(app);
    const claimed = courier.inFlight < mostInFlight ? await claimDeliveries(app, [...courier.busyHosts]) : [];
    if (claimed.length > 0) await start(app, courier, claimed);
    const isWaiting = courier.inFlight > 0;
    if (isWaiting) await courier.progress;
    // What comes back in the same moment is settled in one statement.
    await new Promise((resolve) => setImmediate(resolve));
    const done = courier.takeDone();
    await deleteDeliveries(app, done);
    return Math.max(claimed.length, done.length, isWaiting ? 1 : 0);
  },
};

async function start(app: App, courier: Courier, claimed: readonly ClaimedDelivery[]): Promise<void> {
  const byHost = Map.groupBy(claimed, ({ host }) => host);
  const states = await hostStates(app, [...byHost.keys()]);
  for (const [host, deliveries] of byHost) {
    courier.busyHosts.add(host);
    courier.inFlight += deliveries.length;
    const sending = new HostRun(app, courier, { host, deliveries, state: states.get(host) ?? unknownHost });
    sending
      .run()
      .catch((error: unknown) => app.reportJobFailure(`deliver to ${host}`, error))
      .finally(() => {
        courier.inFlight -= deliveries.length;
        courier.busyHosts.delete(host);
        courier.advance();
      })
      .catch(() => {});
  }
}

/** The claimed deliveries of one host: two at a time, and no more after the first that fails. */
class HostRun {
  readonly #app: App;
  readonly #courier: Courier;
  readonly #host: string;
  readonly #waiting: ClaimedDelivery[];
  readonly #endsAt = performance.now() + (leaseSeconds / 2) * 1000;
  #state: HostState;
  /** When the rest may be tried, once it is clear that now is not the time. */
  #stopped: Date | undefined;

  constructor(
    app: App,
    courier: Courier,
    { host, deliveries, state }: { host: string; deliveries: readonly ClaimedDelivery[]; state: HostState },
  ) {
    this.#app = app;
    this.#courier = courier;
    this.#host = host;
    this.#waiting = [...deliveries];
    this.#state = state;
  }

  async run(): Promise<void> {
    if (await isBlockedDomain(this.#app, this.#host)) return deleteDeliveries(this.#app, this.#waiting);
    // A host that failed last time is asked with one delivery before it gets two.
    if (this.#state.failures > 0) await this.#next();
    await Promise.all(Array.from({ length: perHost }, () => this.#loop()));
    await releaseDeliveries(this.#app, this.#waiting, this.#stopped ?? this.#app.clock.now());
  }

  async #loop(): Promise<void> {
    while (this.#stopped === undefined && performance.now() < this.#endsAt && (await this.#next()));
  }

  async #next(): Promise<boolean> {
    const delivery = this.#waiting.shift();
    if (delivery === undefined) return false;
    await this.#settle(delivery, await sendActivity(this.#app, delivery, this.#state.dialect));
    return true;
  }

  async #settle(delivery: ClaimedDelivery, outcome: Outcome): Promise<void> {
    const app = this.#app;
    switch (outcome.kind) {
      case 'done':
        await this.#noteSuccess(outcome.dialect);
        return this.#courier.delivered(delivery);
      case 'refused':
        app.log.info({ inbox: delivery.inboxUrl, reason: outcome.reason }, 'a delivery was refused');
        return this.#courier.delivered(delivery);
      case 'gone':
        return forgetInbox(app, delivery);
      case 'later': {
        const until = later(app.clock.now(), outcome.seconds);
        this.#stopped = until;
        await write(app, (write) => pauseHost(write, this.#host, until));
        return retryLater(app, delivery, outcome.reason);
      }
      case 'failed': {
        const first = this.#stopped === undefined;
        this.#stopped ??= later(app.clock.now(), 60);
        await retryLater(app, delivery, outcome.reason);
        if (first) await noteFailure(app, this.#host);
      }
    }
  }

  async #noteSuccess(dialect: HostState['dialect']): Promise<void> {
    const now = this.#app.clock.now();
    const { failures, lastSuccessAt, dialect: known } = this.#state;
    const recent = lastSuccessAt !== undefined && now.getTime() - lastSuccessAt.getTime() < successNotedEvery;
    if (recent && failures === 0 && known === dialect) return;
    this.#state = { dialect, failures: 0, lastSuccessAt: now };
    await noteSuccess(this.#app, this.#host, dialect);
  }
}
