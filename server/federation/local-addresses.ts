import { instanceActorName } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { isId, type StatusId } from '../platform/ids.ts';
import { hostOf } from './documents/values.ts';

/** Returns the username of the local actor with this id, ignoring a fragment; undefined for any other URI. */
export function localUsername(app: App, uri: string): string | undefined {
  const path = localPath(app, uri);
  if (path === '/actor') return instanceActorName(app);
  return path === undefined ? undefined : /^\/users\/([\w.-]+)$/.exec(path)?.[1];
}

/** Returns the id of the local status with this ActivityPub id or page. */
export function localStatusId(app: App, uri: string): StatusId | undefined {
  const path = localPath(app, uri);
  const id =
    path === undefined ? undefined : /^\/(?:users\/[\w.-]+\/statuses|@[\w.-]+)\/(\d+)(?:\/activity)?$/.exec(path)?.[1];
  return id !== undefined && isId(id) ? (id as StatusId) : undefined;
}

/** Returns the username in the URL of a local profile page. */
export function localProfileName(app: App, url: string): string | undefined {
  const path = localPath(app, url);
  return path === undefined ? undefined : /^\/@([\w.-]+)\/?$/.exec(path)?.[1];
}

/** Returns the row id in the id of a local activity of this kind, such as `…#follows/123`. */
export function localActivityId(app: App, uri: string, kind: string): string | undefined {
  if (localUsername(app, uri) === undefined) return undefined;
  const [, found, id] = /#([a-z_]+)\/(\d+)$/.exec(uri) ?? [];
  return found === kind && id !== undefined && isId(id) ? id : undefined;
}

function localPath(app: App, uri: string): string | undefined {
  if (hostOf(uri) !== app.config.webDomain) return undefined;
  return new URL(uri).pathname;
}
