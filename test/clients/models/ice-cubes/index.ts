import type { Model } from '../model.ts';
import { accounts, notifications } from './accounts.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** What Ice Cubes (iOS) decodes, as of March 2026. */
export const iceCubes: Model = { ...statuses, ...accounts, ...notifications, ...settings };
