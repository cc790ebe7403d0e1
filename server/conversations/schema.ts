import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { idSchema } from '../platform/id-schema.ts';
import { Status } from '../statuses/schema.ts';

export const Conversation = Type.Object(
  {
    id: idSchema<'row'>(),
    unread: Type.Boolean(),
    accounts: Type.Array(Account),
    last_status: Type.Union([Status, Type.Null()]),
  },
  { title: 'Conversation', additionalProperties: false },
);
export type Conversation = Static<typeof Conversation>;
