import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const time = Type.String({ format: 'date-time' });

/** Why a call to a provider failed. */
export const callErrors = [
  'timeout',
  'unreachable',
  'refused',
  'too_large',
  'status',
  'signature',
  'invalid_response',
] as const;
export type CallError = (typeof callErrors)[number];

const PrivacyPolicy = Type.Object({ url: Type.String(), language: Type.String() });
export type PrivacyPolicy = Static<typeof PrivacyPolicy>;

/** A service that staff register for tasks such as search across many servers (FASP). */
export const Provider = entity('Fieldfare::Provider', {
  id: idSchema<'provider'>(),
  name: Type.String(),
  base_url: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256 of its public key in base64, which the provider shows as well' }),
  confirmed_at: nullable(time),
  privacy_policies: Type.Array(PrivacyPolicy),
  sign_in_url: nullable(Type.String()),
  contact_email: nullable(Type.String()),
  fediverse_account: nullable(Type.String()),
  capabilities: Type.Array(
    Type.Object({
      name: Type.String(),
      version: Type.String(),
      supported: Type.Boolean({ description: 'Whether this server can use it' }),
      enabled: Type.Boolean(),
      announced: Type.Boolean({ description: 'Whether the provider knows that' }),
    }),
  ),
  info_fetched_at: nullable(time),
  failures: Type.Integer({ description: 'Failed calls in a row' }),
  failing_since: nullable(time),
  last_error: nullable(Type.Enum([...callErrors])),
  last_status: nullable(Type.Integer({ description: 'Status code of the last response that was an error' })),
  retry_at: nullable(time),
  callbacks: Type.Array(Type.Object({ ip: Type.String(), body: Type.String(), created_at: time }), {
    description: 'The last answers to test calls, newest first',
  }),
  created_at: time,
});
export type Provider = Static<typeof Provider>;
