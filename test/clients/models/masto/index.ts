import type { Model } from '../model.ts';
import { accounts, notifications } from './accounts.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** What masto.js 8 declares, on which Elk and Phanpy are built. */
export const masto: Model = { ...statuses, ...accounts, ...notifications, ...settings };
