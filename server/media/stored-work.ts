import type { Schedule } from '../platform/jobs/schedule.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import { developLater } from './develop-media.ts';
import { removeFiles } from './stored-files.ts';
import { sweepMedia } from './sweep-media.ts';
import { sweepFiles } from './sweep-storage.ts';

/** Every job of this domain. */
export const subscriptions: readonly Subscription[] = [removeFiles.subscription, developLater.subscription];

export const schedules: readonly Schedule[] = [sweepMedia, sweepFiles];
