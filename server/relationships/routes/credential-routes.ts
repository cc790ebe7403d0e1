import { Type } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { get, patch, type Route } from '../../platform/http/routes.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import { presentCredentialAccount } from '../credentials/credential-account.ts';
import { CredentialAccount } from '../credentials/schema.ts';
import { maxProfileBodyBytes, toProfileChanges, profileInput } from '../credentials/profile-input.ts';
import { updateCredentials } from '../credentials/update-credentials.ts';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());

const CredentialInput = Type.Object({
  ...profileInput,
  source: Type.Optional(
    Type.Union([
      Type.Object({
        privacy: text,
        sensitive: flag,
        local_only: flag,
        language: text,
        quote_policy: text,
        status_content_type: text,
      }),
      // Some clients send an empty list where they mean an empty object.
      Type.Array(Type.Unknown()),
    ]),
  ),
});

const Preferences = entity('Preferences', {
  'posting:default:visibility': Type.String(),
  'posting:default:sensitive': Type.Boolean(),
  'posting:default:local_only': Type.Boolean(),
  'posting:default:language': Type.String(),
  'posting:default:quote_policy': Type.String(),
  'reading:expand:media': Type.String(),
  'reading:expand:spoilers': Type.Boolean(),
  'reading:autoplay:gifs': Type.Boolean(),
});

/** Routes of the viewer's account; in this domain because it counts follow requests. */
export const credentialRoutes: Route[] = [
  get('/api/v1/accounts/verify_credentials', {
    summary: "Show the user's account, with the source of its profile and the preferences",
    hasEtag: true,
    access: 'user',
    scope: 'profile|read|read:accounts',
    response: CredentialAccount,
    handle: ({ app, viewer }) => presentCredentialAccount(app, viewer.accountId),
  }),

  patch('/api/v1/accounts/update_credentials', {
    summary: 'Change your profile, its images and your preferences',
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
    summary: 'Show your preferences',
    hasEtag: true,
    access: 'user',
    scope: 'read|read:accounts',
    response: Preferences,
    handle: async ({ app, viewer: { accountId } }) => {
      const settings = await loadUserSettings(app, accountId);
      return {
        'posting:default:visibility': settings.default_privacy,
        'posting:default:sensitive': settings.default_sensitive,
        'posting:default:local_only': settings.default_local_only,
        'posting:default:language': settings.default_language ?? settings.locale,
        'posting:default:quote_policy': settings.default_quote_policy,
        'reading:expand:media': settings.expand_media,
        'reading:expand:spoilers': settings.expand_spoilers,
        'reading:autoplay:gifs': settings.autoplay_gifs,
      };
    },
  }),
];
