import { expect, test } from 'vitest';
import { publicationAt, type PublicationTimes } from './publication.ts';

const at = (time: string): Date => new Date(`2026-03-${time}:00Z`);
const times: PublicationTimes = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null, draft: false };
const hidden = { isPublished: false, changesAt: undefined };

test.each<[string, Partial<PublicationTimes>, ReturnType<typeof publicationAt>]>([
  ['without times at once', {}, { isPublished: true, changesAt: undefined }],
  ['never as a draft', { draft: true }, hidden],
  ['from its start', { starts_at: at('02T10:00') }, { isPublished: false, changesAt: at('02T10:00') }],
  ['from the exact start', { starts_at: at('01T12:00') }, { isPublished: true, changesAt: undefined }],
  [
    'from the later of start and schedule',
    { starts_at: at('02T10:00'), scheduled_at: at('03T10:00') },
    { isPublished: false, changesAt: at('03T10:00') },
  ],
  [
    'not before its start, even if it was scheduled earlier',
    { starts_at: at('02T10:00'), scheduled_at: at('01T10:00') },
    { isPublished: false, changesAt: at('02T10:00') },
  ],
  ['until its end', { ends_at: at('01T13:00') }, { isPublished: true, changesAt: at('01T13:00') }],
  ['not from its end on', { ends_at: at('01T12:00') }, hidden],
  [
    'for whole days until the end of the last one',
    { starts_at: at('01T00:00'), ends_at: at('01T00:00'), all_day: true },
    { isPublished: true, changesAt: at('02T00:00') },
  ],
  ['not if it ends before it starts', { ends_at: at('01T11:00'), scheduled_at: at('03T10:00') }, hidden],
])('ANN-01: an announcement is visible %s', (_, changes, expected) => {
  expect(publicationAt({ ...times, ...changes }, at('01T12:00'))).toEqual(expected);
});
