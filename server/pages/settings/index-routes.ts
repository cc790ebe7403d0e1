import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { loadOwnStaffMails } from '../../users/mails/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { renderPage } from '../render/layout.ts';
import { secondFactorNotice } from '../security/second-factor-notice.ts';
import type { Visitor } from '../visitor.ts';
import { findClientBuild } from '../web/client-files.ts';

/** Links of the list under one heading. */
type Group = readonly [title: string, links: readonly (readonly [path: string, text: string])[]];

export const settingsIndexRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings', {
    summary: 'Show the list of all settings of the user',
    handle: ({ visitor, session }) => indexPage(visitor, session),
  }),
];

async function indexPage(visitor: Visitor, session: Session): Promise<HttpResponse> {
  const { app, t } = visitor;
  const [site, staffMails] = await Promise.all([siteSettings(app), loadOwnStaffMails(app, session.accountId)]);
  const hasClient = findClientBuild(app) !== undefined;
  const groups: readonly Group[] = [
    ...(hasClient ? clientGroups(visitor) : []),
    [
      t('settings.securityGroup'),
      [
        ['/auth/edit', t('settings.credentials')],
        ['/settings/two_factor', t('security.twoFactor')],
        ['/settings/passkeys', t('securitySettings.passkeys')],
        ...(app.config.signInProviders.length > 0
          ? [['/settings/linked_sign_ins', t('securitySettings.linked')] as const]
          : []),
        ['/settings/sessions', t('security.sessionsTitle')],
        ['/oauth/authorized_applications', t('auth.appsWithAccess')],
      ],
    ],
    [
      t('preferences.accountGroup'),
      [
        ...(staffMails.length > 0 ? [['/settings/staff_mails', t('mail.staffMailsTitle')] as const] : []),
        ...(site.emailSubscriptions
          ? [['/settings/email_subscriptions', t('emailSubscriptions.settingsTitle')] as const]
          : []),
        ['/settings/migration', t('settings.migration')],
        ['/settings/delete', t('settings.delete')],
      ],
    ],
  ];
  return renderPage(visitor, {
    title: t('settings.title'),
    body: html`<h1>${t('settings.title')}</h1>
      ${secondFactorNotice(visitor, session)}
      ${groups.map(
        ([title, links]) =>
          html`<h2>${title}</h2>
            <ul class="card">
              ${links.map(([path, text]) => html`<li><a href="${path}">${text}</a></li>`)}
            </ul>`,
      )}`,
  });
}

/** The pages of the web client, where the settings are that need no password. */
const clientGroups = ({ t }: Visitor): readonly Group[] => [
  [
    t('settings.profileGroup'),
    [
      ['/preferences/profile', t('preferences.profile')],
      ['/preferences/privacy', t('settings.privacy')],
      ['/preferences/posting', t('settings.posting')],
    ],
  ],
  [
    t('settings.readingGroup'),
    [
      ['/preferences/filters', t('preferences.filters')],
      ['/blocks', t('settings.blocks')],
    ],
  ],
];
