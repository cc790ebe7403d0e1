import { Type } from 'typebox';
import { emptyResponse } from '../platform/http/http-response.ts';
import { post, type Route } from '../platform/http/routes.ts';
import { chooseLocale } from '../platform/i18n/locales.ts';
import { idSchema } from '../platform/id-schema.ts';
import { siteSettings } from '../site/index.ts';
import { requestSubscription } from './request-subscription.ts';
import { isSubscribable } from './subscribable.ts';

export const routes: readonly Route[] = [
  post('/api/v1/accounts/:id/email_subscriptions', {
    summary: 'Ask an address to confirm that it wants the public posts of an account by e-mail',
    access: 'anyone',
    rateLimit: 'email-subscriptions',
    params: Type.Object({ id: idSchema<'account'>() }),
    input: Type.Object({ email: Type.Optional(Type.String()) }),
    response: Type.Object({}),
    async handle({ app, params: { id: accountId }, input: { email = '' }, request }) {
      if (!(await isSubscribable(app, accountId))) return emptyResponse(404);
      const { defaultLanguage } = await siteSettings(app);
      const locale = chooseLocale(undefined, request.headers['accept-language']?.toString(), defaultLanguage);
      await requestSubscription(app, { accountId, email, locale });
      return {};
    },
  }),
];
