import { instanceActorName } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { isId, type StatusId } from '../platform/ids.ts';
import { hostOf } from './documents/values.ts';

/** The name of the local actor that a URI is the id of (a fragment plays no part); undefined for any other URI. */
export function localUsername(app: App, uri: string): string | undefined {
  const path = localPath(app, uri);
  if (path === '/actor') return instanceActorName(app);
  return path === undefined ? undefined : /^\/users\/([\w.-]+)$/.exec(path)?.[1];
}

/** The local status that a URI is the id of, or the address of the page. */
export function localStatusId(app: App, uri: string): StatusId | undefined {
  const path = localPath(app, uri);
  const id =
    path === undefined ? undefined : /^\/(?:users\/[\w.-]+\/statuses|@[\w.-]+)\/(\d+)(?:\/activity)?$/.exec(path)?.[1];
  return id !== undefined && isId(id) ? (id as StatusId) : undefined;
}

/** The name in the address of a local profile page. */
export function localProfileName(app: App, url: string): string | undefined {
  const path = localPath(app, url);
  return path === undefined ? undefined : /^\/@([\w.-]+)\/?$/.exec(path)?.[1];
}

/** The number in the id of an activity of ours, like that of a Follow (`…#follows/123`), and its actor's name. */
export function localActivityId(app: App, uri: string, kind: string): string | undefined {
  if (localUsername(app, uri) === undefined) return undefined;
  const [, found, id] = /#([a-z_]+)\/(\d+)$/.exec(uri) ?? [];
  return found === kind && id !== undefined && isId(id) ? id : undefined;
}

function localPath(app: App, uri: string): string | undefined {
  if (hostOf(uri) !== app.config.webDomain) return undefined;
  return new URL(uri).pathname;
}
