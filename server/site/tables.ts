import type { Generated, GeneratedAlways } from 'kysely';

export interface SiteTables {
  /** Settings that staff change while the server runs. Values are JSON text when written. */
  site_settings: { name: string; value: unknown; updated_at: Generated<Date> };
  rules: {
    id: GeneratedAlways<string>;
    position: Generated<number>;
    text: string;
    hint: Generated<string>;
    deleted_at: Date | null;
  };
}
