import { Type } from 'typebox';
import { loadOwnNewsletter, setOwnNewsletter, type OwnNewsletter } from '../../email-subscriptions/index.ts';
import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { form, hiddenField } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

const path = '/settings/email_subscriptions';

/** Where an author takes subscribers by e-mail, and sees their number. */
export const newsletterRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/email_subscriptions', {
    summary: "Show the settings of e-mail subscriptions to the user's posts",
    handle: async ({ visitor, session }) =>
      newsletterPage(visitor, await loadOwnNewsletter(visitor.app, session.accountId)),
  }),

  signedInPageRoute('POST', '/settings/email_subscriptions', {
    summary: 'Allow or refuse subscriptions by e-mail',
    input: Type.Object({ enabled: Type.Optional(Type.Boolean()) }),
    async handle({ visitor, session, input }) {
      await setOwnNewsletter(visitor.app, session.accountId, input.enabled === true);
      return redirectTo(visitor, path);
    },
  }),
];

function newsletterPage(visitor: Visitor, { isAvailable, isOn, subscribers }: OwnNewsletter): Promise<HttpResponse> {
  const { t } = visitor;
  const title = t('emailSubscriptions.settingsTitle');
  const state = isOn ? t('emailSubscriptions.settingsOn') : t('emailSubscriptions.settingsOff');
  const label = isOn ? t('emailSubscriptions.turnOff') : t('emailSubscriptions.turnOn');
  return renderPage(visitor, {
    title,
    body: html`<h1>${title}</h1>
      <section class="card">
        <p>${t('emailSubscriptions.settingsHint')}</p>
        <p>${isAvailable ? state : t('emailSubscriptions.settingsUnavailable')}</p>
        <p><strong>${t('emailSubscriptions.subscribers', { count: subscribers })}</strong></p>
        ${
          (isAvailable || isOn) &&
          form(
            visitor,
            path,
            html`${hiddenField('enabled', isOn ? '0' : '1')}
              <div class="buttons"><button>${label}</button></div>`,
          )
        }
      </section>`,
  });
}
