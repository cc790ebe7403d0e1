import { perApp, rootApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { OutgoingError, type Outgoing, type OutgoingRequest } from '../../platform/outgoing/outgoing.ts';
import { addressBlock } from '../../platform/rate-limits/address-block.ts';
import { OpenWindows, windowEnd } from '../../platform/rate-limits/rate-window.ts';
import { isHttpUrl } from '../documents/values.ts';
import type { RemoteKey } from './find-key.ts';

/**
 * How many requests signatures may cause within five minutes as long as none of them turns out to be valid, in each
 * process: `toHost` to one host, on behalf of all senders that are unknown to it; `bySender` by one sender, to all hosts;
 * `byKnownSender` to one host by a sender that made valid signatures for it.
 */
export const strangerLimits = { seconds: 300, toHost: 30, bySender: 100, byKnownSender: 300 } as const;

const maxCounts = 50_000;
const knownSenderTtlMs = 7 * 86_400_000;

/** The requests of one budget in one window. */
interface Count {
  readonly end: number;
  used: number;
}

const windowsOf = perApp(() => new OpenWindows<Count>(maxCounts));

/** Senders of valid signatures: an address and a host, as `senderKey` writes them. */
export const knownSenders = new Cache<string, true>({
  name: 'federation.known_senders',
  maxSize: maxCounts,
  ttlMs: knownSenderTtlMs,
});

/**
 * Limits the requests that one signature causes before it is known to be valid. Whoever sends it names the hosts that
 * they go to, so that without a limit anybody could let this server flood a third party. A valid signature gives back
 * what it used. Each host has a limit of its own, and so has each sender that a host is known to use, so that
 * nobody can use up what others need.
 */
export class StrangerBudget {
  /** The App whose requests draw on the budget. */
  readonly app: App;
  readonly #sender: string;
  #charged: Count[] = [];

  /** `ip`: the address of the sender. */
  constructor(app: App, ip: string) {
    this.#sender = addressBlock(ip);
    this.app = { ...app, root: rootApp(app), outgoing: this.#limit(app.outgoing) };
  }

  /** Records that the signature is valid. */
  accept({ actorUri, domain }: RemoteKey): void {
    for (const count of this.#charged) count.used -= 1;
    this.#charged = [];
    for (const host of new Set([hostNameOf(actorUri), domain.replace(/:\d+$/, '')])) {
      const sender = senderKey(this.#sender, host);
      if (knownSenders.peek(this.app, sender) === undefined) knownSenders.set(this.app, sender, true);
    }
  }

  #limit(outgoing: Outgoing): Outgoing {
    return {
      request: async (url: string, request: OutgoingRequest = {}) => {
        this.#charge(url);
        const onRedirect = async (target: string): Promise<void> => {
          this.#charge(target);
          await request.onRedirect?.(target);
        };
        return outgoing.request(url, { ...request, onRedirect });
      },
      close: () => outgoing.close(),
    };
  }

  /** Counts a request. Throws an OutgoingError with the reason `over-budget` if it is one too many. */
  #charge(url: string): void {
    const host = hostNameOf(url);
    const sender = senderKey(this.#sender, host);
    const isKnown = knownSenders.peek(this.app, sender) !== undefined;
    const { toHost, bySender, byKnownSender } = strangerLimits;
    const budgets = [
      { count: this.#countOf(`sender ${this.#sender}`), limit: isKnown ? byKnownSender : bySender },
      isKnown
        ? { count: this.#countOf(`known ${sender}`), limit: byKnownSender }
        : { count: this.#countOf(`host ${host}`), limit: toHost },
    ];
    if (budgets.some(({ count, limit }) => count.used >= limit))
      throw new OutgoingError('over-budget', `${url}: too many signatures with unknown keys ask for it`);
    for (const { count } of budgets) {
      count.used += 1;
      this.#charged.push(count);
    }
  }

  #countOf(name: string): Count {
    const now = this.app.clock.now().getTime();
    const end = windowEnd(now, strangerLimits.seconds);
    return windowsOf(this.app).getOrCreate(name, now, { end, create: () => ({ end, used: 0 }) });
  }
}

const senderKey = (sender: string, host: string): string => `${sender} ${host}`;

/** All ports of a host are one target. */
const hostNameOf = (url: string): string => (isHttpUrl(url) ? new URL(url).hostname.replace(/\.$/, '') : '');
