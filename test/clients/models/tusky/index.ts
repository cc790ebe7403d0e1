import type { Model } from '../model.ts';
import { accounts, notifications } from './accounts.ts';
import { settings } from './settings.ts';
import { statuses, parts } from './statuses.ts';

/** What Tusky (Android) decodes, as of May 2025. */
export const tusky: Model = { ...statuses, ...parts, ...accounts, ...notifications, ...settings };
