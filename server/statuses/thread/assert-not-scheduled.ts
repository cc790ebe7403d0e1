import { Type } from 'typebox';
import { message } from '../../platform/i18n/message.ts';
import { fieldsError } from './field-errors.ts';

/** A parameter that is refused, so that nobody publishes at once what was meant for later. */
export const scheduledAtInput = Type.Optional(
  Type.String({ description: 'Not supported: schedule single posts with POST /api/v1/statuses' }),
);

/** Throws 422 if a thread is to be scheduled. */
export function assertNotScheduled(scheduledAt: string | undefined): void {
  if (scheduledAt === undefined || scheduledAt === '') return;
  throw fieldsError([{ field: 'scheduled_at', error: 'ERR_INVALID', description: message('threads.notSchedulable') }]);
}
