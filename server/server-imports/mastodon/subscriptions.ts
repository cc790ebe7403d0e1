import { locales } from '../../platform/i18n/locales.ts';
import { same } from '../columns.ts';
import type { TableImport } from '../table-import.ts';

/** People without an account who receive posts by e-mail, and what accounts did in a year. */
export const subscriptionTables: readonly TableImport[] = [
  {
    name: 'e-mail subscriptions',
    from: 'email_subscriptions',
    into: 'email_subscriptions',
    isNewTable: true,
    leftOut: { 'not confirmed': 's.confirmed_at is null' },
    columns: {
      ...same('id', 'account_id', 'confirmed_at', 'created_at'),
      email: 'lower(s.email)',
      locale: `case when s.locale in (${locales.map((locale) => `'${locale}'`).join(', ')}) then s.locale else 'en' end`,
    },
  },
  {
    name: 'annual reports',
    from: 'generated_annual_reports',
    into: 'annual_reports',
    isNewTable: true,
    added: { share_key: 'null::text' },
    leftOut: { 'of the first form': 's.schema_version <> 2', 'without a key': `coalesce(s.share_key, '') = ''` },
    targetKey: undefined,
    conflictKey: ['account_id', 'year'],
    columns: {
      ...same('account_id', 'year', 'schema_version', 'share_key', 'viewed_at', 'created_at'),
      data: `jsonb_build_object('archetype', s.data -> 'archetype', 'time_series', s.data -> 'time_series',
        'top_hashtags', s.data -> 'top_hashtags', 'top_statuses',
        jsonb_build_object('by_reblogs', s.data #> '{top_statuses,by_reblogs}'))`,
    },
  },
];
