import { profileUrl } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';

/** The ActivityPub id of a local status. */
export const statusUri = (authorUri: string, id: StatusId): string => `${authorUri}/statuses/${id}`;

/** The web page of a local status. */
export const statusUrl = (app: App, username: string, id: StatusId): string => `${profileUrl(app, username)}/${id}`;

/** The ActivityPub id of a local reblog: that of its Announce. */
export const reblogUri = (authorUri: string, id: StatusId): string => `${statusUri(authorUri, id)}/activity`;
