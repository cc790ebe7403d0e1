import { Type } from 'typebox';
import { updateProfile } from '../accounts/profile/index.ts';
import { del, get, patch, type Route } from '../platform/http/routes.ts';
import {
  CredentialAccount,
  maxProfileBodyBytes,
  presentCredentialAccount,
  toProfileChanges,
  profileInput,
  updateCredentials,
} from '../relationships/credentials/index.ts';
import { directoryRoute } from './directory.ts';
import { migrationRoutes } from './migration-routes.ts';
import { presentProfile } from './present-profile.ts';
import { Profile } from './schema.ts';

const scope = 'write|write:accounts';
const flag = Type.Optional(Type.Boolean());

function imageRemovalRoute(path: string, kind: 'avatar' | 'header'): Route {
  return del(path, {
    summary: `Remove the ${kind} of the account of the token`,
    access: 'user',
    scope,
    response: CredentialAccount,
    handle: async ({ app, viewer: { accountId } }) => {
      const none =
        kind === 'avatar' ? { avatar: null, avatarDescription: '' } : { header: null, headerDescription: '' };
      await updateProfile(app, accountId, none);
      return presentCredentialAccount(app, accountId);
    },
  });
}

export const routes: Route[] = [
  get('/api/v1/profile', {
    summary: 'Show the profile of the account of the token as it was typed',
    hasEtag: true,
    access: 'user',
    scope: 'profile|read|read:accounts',
    response: Profile,
    handle: ({ app, viewer }) => presentProfile(app, viewer.accountId),
  }),

  patch('/api/v1/profile', {
    summary: 'Change the profile of the account of the token; absent parameters stay unchanged',
    access: 'user',
    scope,
    input: Type.Object({ ...profileInput, show_media: flag, show_media_replies: flag, show_featured: flag }),
    bodyLimit: maxProfileBodyBytes,
    allowSlowBody: true,
    response: Profile,
    handle: async ({ app, viewer: { accountId }, input }) => {
      const { profile, ...images } = toProfileChanges(input);
      const shows = {
        showMedia: input.show_media,
        showMediaReplies: input.show_media_replies,
        showFeatured: input.show_featured,
      };
      await updateCredentials(app, accountId, { profile: { ...profile, ...shows }, ...images });
      return presentProfile(app, accountId);
    },
  }),

  imageRemovalRoute('/api/v1/profile/avatar', 'avatar'),
  imageRemovalRoute('/api/v1/profile/header', 'header'),

  ...migrationRoutes,
  directoryRoute,
];
