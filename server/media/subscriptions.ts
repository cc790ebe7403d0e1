import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { processMediaJob } from './upload/process-media.ts';
import { deleteFiles } from './stored-files.ts';
import { cleanUpUnattachedMedia } from './clean-up-unattached-media.ts';
import { cleanUpFiles } from './clean-up-storage.ts';

/** Every job of this domain. */
export const subscriptions: readonly Subscription[] = [deleteFiles.subscription, processMediaJob.subscription];

export const schedules: readonly Schedule[] = [cleanUpUnattachedMedia, cleanUpFiles];
