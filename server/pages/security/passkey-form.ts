import { html, type Html } from '../../platform/http/html.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { formTokenField } from '../render/layout.ts';
import { readPageScript, servePageScript } from '../render/page-script.ts';
import type { Visitor } from '../visitor.ts';

/** What `renderPage` needs on pages with a form for passkeys. */
export const passkeyScript = readPageScript('/assets/passkeys.js', new URL('./passkeys.js', import.meta.url));

export const passkeyScriptRoute: Route = get('/assets/passkeys.js', {
  summary: 'Get the script of the pages with passkeys',
  ...servePageScript(passkeyScript),
});

/** What the challenge of a ceremony is bound to: this browser and the purpose. */
export const challengeKey = (visitor: Visitor, purpose: 'add' | 'sign-in' | 'second-step'): string =>
  visitor.browserKey(`passkey ${purpose}`);

interface PasskeyForm {
  readonly action: string;
  readonly ceremony: 'create' | 'get';
  /** Of the ceremony, as JSON. */
  readonly options: object;
  readonly body: Html;
}

/** Renders a form whose submission asks the browser for a passkey. It is hidden without scripts. */
export const passkeyForm = (visitor: Visitor, { action, ceremony, options, body }: PasskeyForm): Html =>
  html`<form
    method="post"
    action="${action}"
    data-passkey="${ceremony}"
    data-options="${JSON.stringify(options)}"
    autocomplete="off"
    hidden
  >
    ${formTokenField(visitor)}<input type="hidden" name="credential" value="" />${body}
    <p class="wrong" role="alert" hidden>${visitor.t('security.passkeyFailed')}</p>
  </form>`;
