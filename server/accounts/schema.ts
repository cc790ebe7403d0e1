import { Type, type Static } from 'typebox';
import { CustomEmoji } from '../emojis/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const datetime = Type.String({ format: 'date-time' });

/** A profile field. */
export const AccountField = entity('AccountField', {
  name: Type.String(),
  value: Type.String({ description: 'HTML' }),
  verified_at: nullable(datetime),
});

/** A highlighted role. */
export const AccountRole = entity('AccountRole', { id: Type.String(), name: Type.String(), color: Type.String() });

const featureAudiences = Type.Array(
  Type.Union([
    Type.Literal('public'),
    Type.Literal('followers'),
    Type.Literal('following'),
    Type.Literal('unsupported_policy'),
  ]),
);

/** Who may feature an account in a collection. `current_user`: the result for the viewer. */
const FeatureApproval = entity('FeatureApproval', {
  automatic: featureAudiences,
  manual: featureAudiences,
  current_user: Type.Union([
    Type.Literal('automatic'),
    Type.Literal('manual'),
    Type.Literal('denied'),
    Type.Literal('unknown'),
    Type.Literal('missing'),
  ]),
});

const accountProperties = {
  id: idSchema<'account'>(),
  username: Type.String(),
  acct: Type.String(),
  url: Type.String(),
  uri: Type.String(),
  display_name: Type.String(),
  note: Type.String({ description: 'HTML' }),
  avatar: Type.String(),
  avatar_static: Type.String(),
  avatar_description: Type.String(),
  header: Type.String(),
  header_static: Type.String(),
  header_description: Type.String(),
  locked: Type.Boolean(),
  fields: Type.Array(AccountField),
  emojis: Type.Array(CustomEmoji),
  bot: Type.Boolean(),
  group: Type.Boolean(),
  discoverable: nullable(Type.Boolean()),
  indexable: Type.Boolean(),
  noindex: Type.Optional(Type.Boolean()),
  memorial: Type.Optional(Type.Boolean()),
  suspended: Type.Optional(Type.Boolean()),
  limited: Type.Optional(Type.Boolean()),
  created_at: datetime,
  last_status_at: nullable(Type.String({ format: 'date' })),
  statuses_count: Type.Integer(),
  followers_count: Type.Integer(),
  following_count: Type.Integer(),
  hide_collections: nullable(Type.Boolean()),
  show_media: Type.Boolean(),
  show_media_replies: Type.Boolean(),
  show_featured: Type.Boolean(),
  roles: Type.Optional(Type.Array(AccountRole)),
  feature_approval: FeatureApproval,
  email_subscriptions: Type.Optional(
    Type.Boolean({ description: 'Only while the server permits e-mail subscriptions' }),
  ),
};

/** A public account (reference/entities.tsv). `moved` is the account it moved to, which has no `moved`. */
export const Account = Type.Object(
  { ...accountProperties, moved: Type.Optional(entity('MovedAccount', accountProperties)) },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;
