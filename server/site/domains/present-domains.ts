import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { DomainAllowRow, DomainBlockRow } from '../tables.ts';
import type { AdminDomainAllow, AdminDomainBlock } from './schema.ts';

export const presentBlock = ({ created_at, ...block }: DomainBlockRow): Static<typeof AdminDomainBlock> => ({
  ...block,
  digest: createHash('sha256').update(block.domain).digest('hex'),
  created_at: created_at.toISOString(),
});

export const presentAllow = ({ id, domain, created_at }: DomainAllowRow): Static<typeof AdminDomainAllow> => ({
  id,
  domain,
  created_at: created_at.toISOString(),
});
