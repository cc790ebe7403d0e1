import { Type, type Static } from 'typebox';
import { Account } from '../../accounts/schema.ts';
import { Role } from '../../users/access/schema.ts';

const nullableBoolean = Type.Union([Type.Boolean(), Type.Null()]);

/** The viewer's account, with the source of its profile and its preferences. */
export const CredentialAccount = Type.Intersect(
  [
    Account,
    Type.Object({
      source: Type.Object({
        note: Type.String(),
        fields: Type.Array(
          Type.Object({
            name: Type.String(),
            value: Type.String(),
            verified_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
          }),
        ),
        privacy: Type.String(),
        sensitive: Type.Boolean(),
        /** Whether new posts stay on this server. */
        local_only: Type.Boolean(),
        language: Type.Union([Type.String(), Type.Null()]),
        quote_policy: Type.String(),
        status_content_type: Type.String({ description: 'Content type of posts whose app does not name one' }),
        follow_requests_count: Type.Integer(),
        attribution_domains: Type.Array(Type.String()),
        hide_collections: nullableBoolean,
        discoverable: nullableBoolean,
        indexable: Type.Boolean(),
      }),
      role: Role,
    }),
  ],
  { title: 'CredentialAccount' },
);
export type CredentialAccount = Static<typeof CredentialAccount>;
