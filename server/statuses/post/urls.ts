import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';

/** The ActivityPub id of a local status. */
export const statusUri = (app: App, username: string, id: StatusId): string =>
  `${actorUrls(app, username).uri}/statuses/${id}`;

/** The web page of a local status. */
export const statusUrl = (app: App, username: string, id: StatusId): string => `${actorUrls(app, username).url}/${id}`;

/** The ActivityPub id of a local reblog: that of its Announce. */
export const reblogUri = (app: App, username: string, id: StatusId): string =>
  `${statusUri(app, username, id)}/activity`;
