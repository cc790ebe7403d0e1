import type { AccountId } from '../../server/platform/ids.ts';
import type { Permission } from '../../server/users/access/index.ts';
import type { TestServer } from '../server.ts';

/** A request of a staff route that succeeds for staff with its permission, and changes something unless it reads. */
export interface StaffRequest {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Permissions that the request needs beside that of the route. */
  readonly permissions?: readonly Permission[];
  /** The local account that the route acts on: staff whose role is not above its role are refused. */
  readonly target?: AccountId;
  /** The route reads, although its method is not GET. */
  readonly changesNothing?: boolean;
}

/** Prepares requests by `METHOD path`, as the routes are declared. */
export type StaffScenarios = Readonly<Record<string, (server: TestServer) => Promise<StaffRequest>>>;
