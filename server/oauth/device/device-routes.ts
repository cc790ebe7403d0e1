import { Type } from 'typebox';
import { post, type Route } from '../../platform/http/routes.ts';
import { oauthHttpError } from '../authorize/oauth-errors.ts';
import { clientInput, requireClient } from '../authenticate-client.ts';
import { DeviceAuthorization } from '../schema.ts';
import { parseScopes, resolveScopes } from '../scopes.ts';
import { deviceCodeTtlSeconds, pollIntervalSeconds, requestDeviceCode } from './request-device-code.ts';
import { formatUserCode } from './user-code.ts';

export const deviceRoutes: readonly Route[] = [
  post('/oauth/device_authorization', {
    summary: 'Request codes for a device without a browser (RFC 8628)',
    access: 'anyone',
    openInLimitedFederation: true,
    rateLimit: 'device-authorization',
    input: Type.Object({
      ...clientInput,
      scope: Type.Optional(Type.String({ description: 'Separated by spaces; default read' })),
    }),
    response: DeviceAuthorization,
    async handle({ app, input, request }) {
      const client = await requireClient(app, input, request);
      const scopes = resolveScopes(parseScopes(client.scopes), input.scope);
      if (scopes === undefined) throw oauthHttpError('invalid_scope');
      const codes = await requestDeviceCode(app, { applicationId: client.id, scopes });
      const userCode = formatUserCode(codes.userCode);
      const page = `${app.config.baseUrl}/device`;
      return {
        device_code: codes.deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: deviceCodeTtlSeconds,
        interval: pollIntervalSeconds,
      };
    },
  }),
];
