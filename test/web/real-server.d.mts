import type { mastodon } from 'masto';

/** A user of a real server, with a client library for what the test prepares. */
export interface RealUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly rest: mastodon.rest.Client;
  /** Sends a request for which the library has no method. Returns the JSON. Throws if the request fails. */
  send<Result>(method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object): Promise<Result>;
}

/** What the tests in a browser use of the class in test/clients/real-server.ts. */
export declare class RealServer implements AsyncDisposable {
  url: string;
  constructor(settings?: Record<string, string>);
  start(): Promise<void>;
  /** Creates a confirmed user with a token. `role`: the name of a predefined role, or an id. */
  createUser(username: string, role?: string, options?: { readonly approved?: boolean }): Promise<RealUser>;
  /** Changes the database directly. */
  sql(statement: string): Promise<void>;
  /** Locks a table: what writes to it waits until the returned function is called. */
  lockTable(name: string): Promise<() => Promise<void>>;
  /** Runs a schedule by its name, such as `trend.refresh_trends`. */
  runSchedule(name: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
