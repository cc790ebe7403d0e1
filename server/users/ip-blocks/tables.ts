import type { Selectable } from 'kysely';
import { writableTables } from '../../platform/database/writable-tables.ts';
import type { Id } from '../../platform/ids.ts';

export type IpBlockId = Id<'ip-block'>;
/** `no_access`: every request is refused. */
export type IpBlockSeverity = 'sign_up_requires_approval' | 'sign_up_block' | 'no_access';

export interface IpBlockTables {
  /** IP addresses and networks that staff block. */
  ip_blocks: {
    id: IpBlockId;
    /** A network, such as 192.0.2.0/24. */
    ip: string;
    severity: IpBlockSeverity;
    comment: string;
    /** Null: never. */
    expires_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
}

export type IpBlockRow = Selectable<IpBlockTables['ip_blocks']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<IpBlockTables>();

declare module '../../platform/database/tables.ts' {
  interface Tables extends IpBlockTables {}
}
