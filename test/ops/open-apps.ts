import { Writable } from 'node:stream';
import { withAccountsApp, withApp, withReadingApp, startBus } from '../../server/cli/open/open-app.ts';
import type { AppKind } from '../../server/cli/shell.ts';
import type { App } from '../../server/platform/app.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';

const openers = { full: withApp, accounts: withAccountsApp, reading: withReadingApp } as const;

/** An App that is open until `close`. */
interface OpenApp {
  readonly app: App;
  readonly close: () => Promise<void>;
}

/**
 * Apps that many commands use, one of each kind: to connect to PostgreSQL and to open an App costs a command most of its
 * time. As processes of one instance, they send each other what changed.
 */
export class OpenApps implements AsyncDisposable {
  /** Receives the lines of the log, which belong to the standard error of the command that runs. */
  stderr: Writable = new Writable({ write: (_chunk, _encoding, done) => done() });
  readonly #env: Readonly<Record<string, string>>;
  readonly #opened = new Map<AppKind, Promise<OpenApp>>();

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  /** Returns the App of a kind, which is opened the first time. */
  async find(kind: AppKind): Promise<App> {
    const opening = this.#opened.get(kind) ?? this.#open(kind);
    this.#opened.set(kind, opening);
    return (await opening).app;
  }

  #open(kind: AppKind): Promise<OpenApp> {
    const log = createLog({ level: 'warn', writeLine: (line) => void this.stderr.write(line) });
    const released = Promise.withResolvers<void>();
    return new Promise((resolve, reject) => {
      const closed = openers[kind](parseConfig(this.#env), log, async (app) => {
        // One that only reads has nobody who could receive an event.
        if (kind !== 'reading') await startBus(app);
        const close = async (): Promise<void> => {
          released.resolve();
          await closed;
        };
        resolve({ app, close });
        await released.promise;
      });
      closed.catch(reject);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opening of this.#opened.values()) await (await opening).close();
  }
}
