import type { Model } from '../model.ts';
import { accounts } from './accounts.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** What Mastodon for iOS decodes, as of October 2024 (a9e088a9). Leaves out entities that the app never requests. */
export const mastodonIos: Model = { ...statuses, ...accounts, ...settings };
