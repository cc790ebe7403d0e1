import { Type } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { get, patch, type Route } from '../platform/http/routes.ts';
import { loadUserSettings } from '../users/index.ts';
import { CredentialAccount, presentCredentialAccount } from './credential-account.ts';
import { maxProfileBodyBytes, toProfileChanges, profileInput } from './profile-input.ts';
import { updateCredentials } from './update-credentials.ts';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());

const CredentialInput = Type.Object({
  ...profileInput,
  source: Type.Optional(
    Type.Union([
      Type.Object({ privacy: text, sensitive: flag, language: text, quote_policy: text, status_content_type: text }),
      // Some clients send an empty list where they mean an empty object.
      Type.Array(Type.Unknown()),
    ]),
  ),
});

const Preferences = entity('Preferences', {
  'posting:default:visibility': Type.String(),
  'posting:default:sensitive': Type.Boolean(),
  'posting:default:language': Type.String(),
  'posting:default:quote_policy': Type.String(),
  'reading:expand:media': Type.String(),
  'reading:expand:spoilers': Type.Boolean(),
  'reading:autoplay:gifs': Type.Boolean(),
});

/** What concerns one's own account; it stands here because it counts the requests to follow it. */
export const credentialRoutes: Route[] = [
  get('/api/v1/accounts/verify_credentials', {
    summary: 'Shows the account of the token, with what its user typed and prefers',
    access: 'user',
    scope: 'profile|read|read:accounts',
    response: CredentialAccount,
    handle: ({ app, viewer }) => presentCredentialAccount(app, viewer.accountId),
  }),

  patch('/api/v1/accounts/update_credentials', {
    summary: 'Changes the profile, its pictures and the preferences of the account of the token',
    access: 'user',
    scope: 'write|write:accounts',
    input: CredentialInput,
    singleMethod: true,
    bodyLimit: maxProfileBodyBytes,
    allowSlowBody: true,
    response: CredentialAccount,
    handle: async ({ app, viewer, input }) => {
      await updateCredentials(app, viewer.accountId, {
        ...toProfileChanges(input),
        source: Array.isArray(input.source) ? undefined : input.source,
      });
      return presentCredentialAccount(app, viewer.accountId);
    },
  }),

  get('/api/v1/preferences', {
    summary: 'Shows what the user of the token prefers',
    access: 'user',
    scope: 'read|read:accounts',
    response: Preferences,
    handle: async ({ app, viewer: { accountId } }) => {
      const settings = await loadUserSettings(app, accountId);
      return {
        'posting:default:visibility': settings.default_privacy,
        'posting:default:sensitive': settings.default_sensitive,
        'posting:default:language': settings.default_language ?? settings.locale,
        'posting:default:quote_policy': settings.default_quote_policy,
        'reading:expand:media': settings.expand_media,
        'reading:expand:spoilers': settings.expand_spoilers,
        'reading:autoplay:gifs': settings.autoplay_gifs,
      };
    },
  }),
];
