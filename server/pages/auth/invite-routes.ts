import Negotiator from 'negotiator';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { HttpError, notFound } from '../../platform/http/http-errors.ts';
import { get, type RequestContext, type Route } from '../../platform/http/routes.ts';
import { message } from '../../platform/i18n/message.ts';
import { findInvite, isUsable, type Invite } from '../../users/invites/index.ts';
import { redirectTo } from '../render/layout.ts';
import { loadVisitor } from '../visitor.ts';
import { invitedSignUpPage } from './sign-up-routes.ts';

export const inviteRoutes: readonly Route[] = [
  get('/invite/:invite_code', {
    summary: 'Show the form to sign up with an invite, or JSON by which apps recognise it',
    access: 'page',
    undocumented: true,
    params: Type.Object({ invite_code: Type.String() }),
    response: Type.Any(),
    async handle({ app, request, params: { invite_code: code } }) {
      const invite = await requireUsableInvite(app, code);
      if (wantsJson(request)) {
        const json = { invite_code: invite.code, instance_api_url: `${app.config.baseUrl}/api/v2/instance` };
        return new HttpResponse({ json, headers: { vary: 'Accept' } });
      }
      const visitor = await loadVisitor(app, request);
      return visitor.session === undefined ? invitedSignUpPage(visitor, invite) : redirectTo(visitor, '/');
    },
  }),
];

/** Returns an invite. Throws 404 if it is unknown, 401 if it was used up or has expired. */
async function requireUsableInvite(app: App, code: string): Promise<Invite> {
  const invite = await findInvite(app, code);
  if (invite === undefined) throw notFound();
  if (!isUsable(app, invite)) throw new HttpError(401, message('invites.invalid'));
  return invite;
}

const wantsJson = (request: RequestContext): boolean =>
  new Negotiator(request).mediaType(['text/html', 'application/json']) === 'application/json';
