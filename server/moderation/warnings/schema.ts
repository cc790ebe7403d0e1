import { Type, type Static } from 'typebox';
import { Account } from '../../accounts/schema.ts';
import { entity } from '../../platform/http/entity.ts';
import type { Id } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';

export type WarningId = Id<'warning'>;

const Appeal = entity('Appeal', {
  text: Type.String(),
  state: Type.Union([Type.Literal('approved'), Type.Literal('rejected'), Type.Literal('pending')]),
});

/** What staff decided about an account. */
export const AccountWarning = entity('AccountWarning', {
  id: idSchema<'warning'>(),
  action: Type.Union([
    Type.Literal('none'),
    Type.Literal('disable'),
    Type.Literal('mark_statuses_as_sensitive'),
    Type.Literal('delete_statuses'),
    Type.Literal('sensitive'),
    Type.Literal('silence'),
    Type.Literal('suspend'),
  ]),
  /** The message of staff; empty for none. */
  text: Type.String(),
  /** The statuses that it is about; null for the account as a whole. */
  status_ids: Type.Union([Type.Array(idSchema<'status'>()), Type.Null()]),
  /** The account that was warned. */
  target_account: Account,
  /** Null: the user did not appeal. */
  appeal: Type.Union([Appeal, Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
});
export type AccountWarning = Static<typeof AccountWarning>;
