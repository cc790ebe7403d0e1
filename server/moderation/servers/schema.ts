import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

const limits = Type.Object({
  severity: Type.Union([Type.Literal('noop'), Type.Literal('silence'), Type.Literal('suspend')]),
  reject_media: Type.Boolean(),
  reject_reports: Type.Boolean(),
  obfuscate: Type.Boolean(),
  public_comment: Type.Union([Type.String(), Type.Null()]),
});

/** A block in a list, compared with the stored block of its domain. */
export const ListedBlock = entity('Fieldfare::ListedBlock', {
  domain: Type.String(),
  change: Type.Union(
    [Type.Literal('create'), Type.Literal('strengthen'), Type.Literal('weaken'), Type.Literal('none')],
    { description: 'weaken: the list is less strict than the existing block' },
  ),
  listed: limits,
  existing: Type.Union([limits, Type.Null()]),
  lost_following: Type.Integer({ description: 'Follows of local accounts that the change would cut, at most 10000' }),
  lost_followers: Type.Integer({ description: 'Followers of local accounts that the change would cut, at most 10000' }),
});
export type ListedBlock = Static<typeof ListedBlock>;

/** A line of a list that is no domain, or belongs to this server. */
export const RejectedLine = Type.Object({ line: Type.Integer(), domain: Type.String(), error: Type.String() });
export type RejectedLine = Static<typeof RejectedLine>;

/** What an import of blocks changes, or would change. */
export const BlockImport = entity('Fieldfare::DomainBlockImport', {
  applied: Type.Integer({ description: 'Number of blocks that were created or changed; 0 in a preview' }),
  blocks: Type.Array(ListedBlock),
  rejected: Type.Array(RejectedLine),
});
export type BlockImport = Static<typeof BlockImport>;

/** What an import of allowed domains changes, or would change. */
export const AllowImport = entity('Fieldfare::DomainAllowImport', {
  applied: Type.Integer({ description: 'Number of domains that were allowed; 0 in a preview' }),
  domains: Type.Array(
    Type.Object({ domain: Type.String(), change: Type.Union([Type.Literal('create'), Type.Literal('none')]) }),
  ),
  rejected: Type.Array(RejectedLine),
});
export type AllowImport = Static<typeof AllowImport>;
