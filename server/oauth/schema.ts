import { Type, type Static } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const applicationProperties = {
  id: idSchema<'application'>(),
  name: Type.String(),
  website: Type.Union([Type.String(), Type.Null()]),
  scopes: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  /** All of them, separated by line breaks. */
  redirect_uri: Type.String(),
  vapid_key: Type.String(),
};

export const Application = Type.Object(applicationProperties, { title: 'Application' });
export type Application = Static<typeof Application>;

/** An application with its secret, which is shown only at the registration. */
export const CredentialApplication = Type.Object(
  {
    ...applicationProperties,
    client_id: Type.String(),
    client_secret: Type.String(),
    /** Always 0: the secret does not expire. */
    client_secret_expires_at: Type.Integer(),
  },
  { title: 'CredentialApplication' },
);

export const Token = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String(),
    /** Separated by spaces. */
    scope: Type.String(),
    /** Unix time. */
    created_at: Type.Integer(),
  },
  { title: 'Token' },
);
export type Token = Static<typeof Token>;

/** The codes of a device without a browser (RFC 8628). */
export const DeviceAuthorization = Type.Object(
  {
    device_code: Type.String({ description: 'With which the device polls at the token endpoint' }),
    user_code: Type.String({ description: 'Which the user enters at verification_uri' }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String({ description: 'With the user code, for a QR code' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    interval: Type.Integer({ description: 'Minimum seconds between two polls' }),
  },
  { title: 'DeviceAuthorization' },
);

export const OAuthUserinfo = Type.Object(
  {
    iss: Type.String(),
    sub: Type.String(),
    name: Type.String(),
    preferred_username: Type.String(),
    profile: Type.String(),
    picture: Type.String(),
  },
  { title: 'OAuthUserinfo' },
);
export type OAuthUserinfo = Static<typeof OAuthUserinfo>;

const stringArray = Type.Array(Type.String());

/** RFC 8414, with the address of app registration added. */
export const OAuthServerMetadata = Type.Object(
  {
    issuer: Type.String(),
    service_documentation: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    device_authorization_endpoint: Type.String(),
    app_registration_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    userinfo_endpoint: Type.String(),
    scopes_supported: stringArray,
    response_types_supported: stringArray,
    response_modes_supported: stringArray,
    grant_types_supported: stringArray,
    code_challenge_methods_supported: stringArray,
    token_endpoint_auth_methods_supported: stringArray,
  },
  { title: 'OAuthServerMetadata' },
);
