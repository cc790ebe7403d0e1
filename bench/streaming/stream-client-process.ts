import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ClientReport, ClientRequest } from './stream-clients.ts';

/** The process that opens streams, so that its cost is not that of the server. */
export class StreamClients {
  readonly #port: number;
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'stream-clients.ts'));

  constructor(port: number) {
    this.#port = port;
  }

  async open(tokens: readonly string[], how: 'websocket' | 'sse'): Promise<void> {
    await this.#ask({ kind: 'open', port: this.#port, tokens, how });
  }

  /** Resolves with the times at which the next `count` events arrived. */
  async receive(count: number): Promise<readonly number[]> {
    const report = await this.#ask({ kind: 'wait', count });
    return report.kind === 'received' ? report.times : [];
  }

  async close(): Promise<void> {
    await this.#ask({ kind: 'close' });
  }

  end(): void {
    this.#child.kill();
  }

  async #ask(request: ClientRequest): Promise<ClientReport> {
    const answered = once(this.#child, 'message');
    this.#child.send(request);
    const [report] = (await answered) as [ClientReport];
    return report;
  }
}

/** The clock of the times at which events arrived. */
export const now = (): number => performance.timeOrigin + performance.now();
