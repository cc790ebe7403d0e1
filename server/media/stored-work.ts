import type { Schedule, Subscription } from '../platform/jobs/events.ts';
import { removeFiles } from './stored-files.ts';
import { sweepMedia } from './sweep-media.ts';

/** Every job of this domain. */
export const subscriptions: readonly Subscription[] = [removeFiles.subscription];

export const schedules: readonly Schedule[] = [sweepMedia];
