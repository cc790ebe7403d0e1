import type { Model } from '../model.ts';
import { accounts, notifications } from './accounts.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/**
 * What the official app for Android decodes, as of August 2026. Moshidon and Megalodon are derived from it; what they
 * require is a part of this.
 */
export const mastodonAndroid: Model = { ...statuses, ...accounts, ...notifications, ...settings };
