import type { App } from '../../platform/app.ts';
import type { TagId } from '../../platform/ids.ts';
import type { DayRange } from '../range.ts';
import type { CountKind } from '../tables.ts';
import {
  activeUsers,
  activeUsersByDay,
  tagUsers,
  tagUsersByDay,
  tagUsesByDay,
  totalOfKey,
  valuesOfKey,
  valuesOfKind,
  type DailyValue,
  type TotalRow,
} from './daily-values.ts';

/** The numbers of a measure by day, and how its total is found. */
export interface MeasureSource {
  readonly unit?: 'bytes';
  /** The values by day. */
  readonly values: (app: App, range: DayRange) => Promise<DailyValue[]>;
  /** Absent: the total is the sum of the values. */
  readonly total?: (app: App, range: DayRange) => Promise<TotalRow[]>;
  /** The total is that of all time, without one of the range before. */
  readonly isOfAllTime?: boolean;
}

const ofKind = (kind: CountKind): MeasureSource => ({ values: (app, range) => valuesOfKind(app, { ...range, kind }) });

const ofDomain = (kind: CountKind, domain: string, unit?: 'bytes'): MeasureSource => ({
  ...(unit !== undefined && { unit }),
  values: (app, range) => valuesOfKey(app, { ...range, kind, key: domain }),
  total: (app) => totalOfKey(app, { kind, key: domain }),
  isOfAllTime: true,
});

const tagUsersOf = (tagId: TagId, dimension: 'account' | 'domain'): MeasureSource => ({
  values: (app, range) => tagUsersByDay(app, { ...range, tagId, dimension }),
  total: (app, range) => tagUsers(app, { ...range, tagId, dimension }),
});

/** Measures without a parameter. */
export const plainMeasures = {
  active_users: {
    values: (app: App, range: DayRange) => activeUsersByDay(app, range),
    total: (app: App, range: DayRange) => activeUsers(app, range),
  },
  new_users: ofKind('users'),
  interactions: ofKind('interactions'),
  opened_reports: ofKind('reports'),
  resolved_reports: ofKind('resolved_reports'),
} satisfies Record<string, MeasureSource>;

/** Measures of a hashtag. */
export const tagMeasures = {
  tag_accounts: (tagId: TagId) => tagUsersOf(tagId, 'account'),
  tag_uses: (tagId: TagId) => ({ values: (app: App, range: DayRange) => tagUsesByDay(app, { ...range, tagId }) }),
  tag_servers: (tagId: TagId) => tagUsersOf(tagId, 'domain'),
} satisfies Record<string, (tagId: TagId) => MeasureSource>;

/** Measures of a domain; the local one is empty. */
export const domainMeasures = {
  instance_accounts: (domain: string) => ofDomain('accounts', domain),
  instance_media_attachments: (domain: string) => ofDomain('media_bytes', domain, 'bytes'),
  instance_reports: (domain: string) => ofDomain('reports', domain),
  instance_statuses: (domain: string) => ofDomain('statuses', domain),
  instance_follows: (domain: string) => ofDomain('follows', domain),
  instance_followers: (domain: string) => ofDomain('followers', domain),
} satisfies Record<string, (domain: string) => MeasureSource>;
