import type { Selectable } from 'kysely';
import { writableTables } from '../../platform/database/writable-tables.ts';
import type { AccountId, Id } from '../../platform/ids.ts';

export type EmailDomainBlockId = Id<'email-domain-block'>;
export type CanonicalEmailBlockId = Id<'canonical-email-block'>;

export interface EmailBlockTables {
  /** Domains of e-mail addresses, or of their mail servers, that staff block. Subdomains are blocked too. */
  email_domain_blocks: {
    id: EmailDomainBlockId;
    /** In lower case and punycode. */
    domain: string;
    /** Sign-ups are not refused, but wait for approval. */
    allow_with_approval: boolean;
    created_at: Date;
  };
  /** Sign-ups that a block refused or held, of the last week. */
  email_domain_block_attempts: {
    block_id: EmailDomainBlockId;
    day: Date;
    /** An IPv4 address or an IPv6 network; empty if unknown. */
    address: string;
    attempts: number;
  };
  /** E-mail addresses that cannot sign up. */
  canonical_email_blocks: {
    id: CanonicalEmailBlockId;
    /** SHA-256 of the canonical address in hexadecimal. */
    canonical_email_hash: string;
    /** The suspended account with this address. Null: blocked by staff, or the account was deleted. */
    account_id: AccountId | null;
    created_at: Date;
  };
}

export type EmailDomainBlockRow = Selectable<EmailBlockTables['email_domain_blocks']>;
export type CanonicalEmailBlockRow = Selectable<EmailBlockTables['canonical_email_blocks']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<EmailBlockTables>();

declare module '../../platform/database/tables.ts' {
  interface Tables extends EmailBlockTables {}
}
