import type { Logger } from 'pino';
import type { App } from '../../platform/app.ts';
import type { Config } from '../../platform/config.ts';

/** What a process can do: serve requests, serve streams, run jobs. */
export const roles = ['web', 'streaming', 'worker'] as const;
export type Role = (typeof roles)[number];

export interface ServeOptions {
  readonly config: Config;
  readonly roles: ReadonlySet<Role>;
  /** The queues that this process works on, or those that it leaves to others. Default: all. */
  readonly queues?: { readonly only: readonly string[] } | { readonly except: readonly string[] } | undefined;
  readonly log: Logger;
  /** Prints a line for the person who starts the server. */
  readonly report: (line: string) => void;
}

export interface RunningFieldfare {
  readonly app: App;
  /** The URL that it listens on; undefined for a process that only runs jobs. */
  readonly address: string | undefined;
  /** Resolves with a message if the embedded database stops, or a newer version migrated it so that this one must end. */
  readonly died: Promise<string>;
  /** Finishes open requests and jobs, then closes everything. Idempotent. */
  stop(): Promise<void>;
}
