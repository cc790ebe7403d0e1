import type { Model } from '../model.ts';
import { accounts } from './accounts.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** What Pachli (Android) decodes, as of August 2026 (7e0e029f). */
export const pachli: Model = { ...statuses, ...accounts, ...settings };
