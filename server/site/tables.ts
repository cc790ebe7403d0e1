import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { RowId } from '../platform/ids.ts';

/** `noop`: only the flags of the block apply; `silence`: accounts are limited; `suspend`: nothing is exchanged. */
export type DomainSeverity = 'noop' | 'silence' | 'suspend';

export interface SiteTables {
  /** Settings that staff change while the server runs. Insert values as JSON text. */
  site_settings: { name: string; value: unknown; updated_at: Generated<Date> };
  rules: {
    id: GeneratedAlways<string>;
    position: Generated<number>;
    text: string;
    hint: Generated<string>;
    deleted_at: Date | null;
  };
  rule_translations: { rule_id: string; language: string; text: string; hint: string };
  /** Published versions of the terms of service. */
  terms_of_service: {
    effective_date: Date;
    /** Safe HTML. */
    content: string;
    /** What changed, as plain text. */
    changelog: Generated<string>;
    published_at: Date;
    /** When users were notified by mail. */
    notified_at: Date | null;
    updated_at: Date;
  };
  /** The version that staff prepare; at most one. */
  terms_of_service_drafts: {
    id: Generated<true>;
    content: string;
    changelog: string;
    effective_date: Date | null;
    updated_at: Date;
  };
  /** Limited or blocked servers, including their subdomains. */
  domain_blocks: {
    id: RowId;
    domain: string;
    severity: DomainSeverity;
    reject_media: Generated<boolean>;
    reject_reports: Generated<boolean>;
    obfuscate: Generated<boolean>;
    private_comment: string | null;
    public_comment: string | null;
    created_at: Date;
  };
  domain_allows: { id: RowId; domain: string; created_at: Date };
}

/** A domain block as stored. */
export type DomainBlockRow = Selectable<SiteTables['domain_blocks']>;
/** A domain that may federate in limited federation mode, as stored. */
export type DomainAllowRow = Selectable<SiteTables['domain_allows']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<SiteTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends SiteTables {}
}
