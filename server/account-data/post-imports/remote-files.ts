import { downloadRemoteFile } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';

/** Requests of one run. An archive may name any addresses, so that this server would request them for its author. */
const maxRequests = 20_000;
/** Failures of a host in a row, after which it is not asked again. */
const maxFailures = 5;

/** A temporary file, which is deleted at the end of its scope. */
export interface FetchedFile extends AsyncDisposable {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Fetches the files that the posts of an archive name by their address, one at a time. */
export class RemoteFiles {
  readonly #app: App;
  readonly #signal: AbortSignal;
  /** Failures since the last success, by host. */
  readonly #failures = new Map<string, number>();
  #requests = 0;

  constructor(app: App, signal: AbortSignal) {
    this.#app = app;
    this.#signal = signal;
  }

  /**
   * Fetches a file as the proxy for remote media does. Returns undefined for addresses other than HTTPS and HTTP, or if it is
   * refused, unreachable or too large, its host keeps failing, or this process stops.
   */
  async fetch(address: string): Promise<FetchedFile | undefined> {
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
    const failures = this.#failures.get(url.host) ?? 0;
    if (failures >= maxFailures || this.#requests >= maxRequests) return undefined;
    this.#requests += 1;
    const file = await downloadRemoteFile(this.#app, url.href, this.#signal);
    this.#failures.set(url.host, file === undefined ? failures + 1 : 0);
    if (file === undefined) return undefined;
    return { path: file.path, size: file.size, [Symbol.asyncDispose]: () => file.delete() };
  }
}
