import type { Model } from '../model.ts';
import { accounts, notifications } from './accounts.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** What TootSDK decodes, as of April 2026. Stands for strict Swift decoders, such as that of Mona, which is not public. */
export const tootSdk: Model = { ...statuses, ...accounts, ...notifications, ...settings };
