import type { AccountId } from '../platform/ids.ts';

/** What `daily_counts` counts. */
export type CountKind =
  | 'accounts'
  | 'followers'
  | 'follows'
  | 'interactions'
  | 'media_bytes'
  | 'reports'
  | 'resolved_reports'
  | 'status_languages'
  | 'statuses'
  | 'user_cohorts'
  | 'user_locales'
  | 'user_month_cohorts'
  | 'users';

/** What `storage_sizes` measures. */
export type StorageKind = 'archives' | 'emojis' | 'media_cache' | 'profile_images' | 'redis' | 'site_images';

export interface MeasureTables {
  storage_sizes: { kind: StorageKind; bytes: string; measured_at: Date };
  daily_counts: {
    kind: CountKind;
    /** A domain (empty: local), an application, a language or a day, by the kind. */
    key: string;
    day: string;
    part: string;
    value: string;
  };
  domain_top_accounts: { domain: string; account_id: AccountId; followers: number };
  recount_progress: { name: string; day: string; is_complete: boolean; counted_to: string | null };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends MeasureTables {}
}
