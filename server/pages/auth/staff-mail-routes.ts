import { Type } from 'typebox';
import { html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { loadOwnStaffMails, setOwnStaffMails, type OwnStaffMail } from '../../users/mails/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { form } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

const path = '/settings/staff_mails';
const labels = {
  appeals: 'mail.staffMailAppeals',
  held_posts: 'mail.staffMailHeldPosts',
  reports: 'mail.staffMailReports',
  sign_ups: 'mail.staffMailSignUps',
  trends: 'mail.staffMailTrends',
} as const;

/** Which mails a member of the staff gets. For other users the page does not exist. */
export const staffMailRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/staff_mails', {
    summary: 'Show which mails a member of the staff gets',
    async handle({ visitor, session }) {
      const mails = await loadOwnStaffMails(visitor.app, session.accountId);
      if (mails.length === 0) throw notFound();
      return staffMailPage(visitor, mails);
    },
  }),

  signedInPageRoute('POST', '/settings/staff_mails', {
    summary: 'Turn mails to a member of the staff on and off',
    input: Type.Object({ on: Type.Optional(Type.Array(Type.String())) }),
    async handle({ visitor, session, input: { on = [] } }) {
      await setOwnStaffMails(visitor.app, session.accountId, on);
      return redirectTo(visitor, path);
    },
  }),
];

function staffMailPage(visitor: Visitor, mails: readonly OwnStaffMail[]): Promise<HttpResponse> {
  const { t } = visitor;
  const title = t('mail.staffMailsTitle');
  const boxes = mails.map(
    ({ kind, isOn }) =>
      html`<p>
        <input type="checkbox" id="on-${kind}" name="on[]" value="${kind}" ${isOn && html`checked`} />
        <label for="on-${kind}">${t(labels[kind])}</label>
      </p>`,
  );
  return renderPage(visitor, {
    title,
    body: html`<h1>${title}</h1>
      <section class="card">
        ${form(
          visitor,
          path,
          html`${boxes}
            <div class="buttons"><button>${t('mail.staffMailsSave')}</button></div>`,
        )}
      </section>`,
  });
}
