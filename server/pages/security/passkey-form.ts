import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { formTokenField } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

const script = readFileSync(new URL('./passkeys.js', import.meta.url));
const version = createHash('sha256').update(script).digest('base64url').slice(0, 12);
const scriptPath = '/assets/passkeys.js';

/** What `renderPage` needs on pages with a form for passkeys. */
export const passkeyScript = { path: scriptPath, version } as const;

export const passkeyScriptRoute: Route = get('/assets/passkeys.js', {
  summary: 'Get the script of the pages with passkeys',
  access: 'page',
  // For the page to sign in.
  ignoresBlocks: true,
  undocumented: true,
  rateLimit: 'none',
  response: Type.Any(),
  handle: () =>
    new HttpResponse({
      text: script,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=86400',
        'x-content-type-options': 'nosniff',
      },
    }),
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
