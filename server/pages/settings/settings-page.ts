import { html, type Html } from '../../platform/http/html.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

/** What happened to the form of a settings page that is shown again. */
export interface SettingsState {
  readonly isSaved?: boolean | undefined;
  /** Why the form was refused, for people. */
  readonly problem?: string | undefined;
}

/** Renders a page of settings, with the way back to their list. */
export function settingsPage(
  visitor: Visitor,
  { title, state, body }: { title: string; state: SettingsState; body: Html },
): Promise<HttpResponse> {
  const { t } = visitor;
  const { isSaved = false, problem } = state;
  return renderPage(visitor, {
    title,
    status: problem === undefined ? 200 : 422,
    body: html`<p><a href="/settings">${t('settings.title')}</a></p>
      <h1>${title}</h1>
      ${isSaved && notice(t('settings.saved'), 'good')} ${problem !== undefined && notice(problem, 'bad')} ${body}`,
  });
}

/** Runs a change and returns to the page. If the change is invalid, shows the page again with the reason. */
export async function saveSettings(
  visitor: Visitor,
  path: string,
  { change, show }: { change: () => Promise<unknown>; show: (state: SettingsState) => Promise<HttpResponse> },
): Promise<HttpResponse> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof HttpError) || ![403, 404, 422].includes(error.status)) throw error;
    return show({ problem: error.text.render(visitor.t.locale) });
  }
  return redirectTo(visitor, `${path}?saved=1`);
}
