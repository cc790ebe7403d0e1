import { scopeAllows } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';
import { forbidden, invalidFieldsError, type FieldError } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import { isAllowedUrl } from '../platform/outgoing/allowed-url.ts';
import type { WebhookEvent, WebhookInput } from './schema.ts';

const maxUrlLength = 2_000;

/** The scopes of the routes that show the same. */
const scopeByEvent: Readonly<Record<WebhookEvent, string>> = {
  'status.created': 'read:statuses',
  'status.updated': 'read:statuses',
  'status.deleted': 'read:statuses',
  'notification.created': 'read:notifications',
  'follow.created': 'read:follows',
  'follower.created': 'read:follows',
};

/** What an app sets of a webhook. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

/**
 * Validates the settings of a webhook; absent ones remain `current`. Throws 422 for an invalid address or without events,
 * 403 for an event that the token may not read.
 */
export function parseWebhook(
  app: App,
  scopes: ReadonlySet<string>,
  input: WebhookInput,
  current: WebhookSettings = { url: '', events: [] },
): WebhookSettings {
  const url = input.url?.trim() ?? current.url;
  const events = [...new Set(input.events ?? current.events)];
  const errors = [...findUrlErrors(app, url), ...(events.length > 0 ? [] : [blankError('events')])];
  if (errors.length > 0) throw invalidFieldsError(errors);
  for (const event of events) {
    const scope = scopeByEvent[event];
    if (!scopeAllows(scopes, scope)) throw forbidden('webhooks.missingScope', { event, scope });
  }
  // Normalised: other forms may contain characters that the database refuses.
  return { url: new URL(url).href, events };
}

/** Returns what is wrong with the address of a webhook. */
export function findUrlErrors(app: App, url: string): FieldError[] {
  if (url === '') return [blankError('url')];
  if (url.length > maxUrlLength) {
    const description = message('problems.tooLong', { max: maxUrlLength });
    return [{ field: 'url', error: 'ERR_TOO_LONG', description }];
  }
  // The addresses of the host are checked when a message is sent.
  if (!isAllowedUrl(app.config, url)) {
    return [{ field: 'url', error: 'ERR_INVALID', description: message('webhooks.urlNotPublic') }];
  }
  // A webhook that calls this server could cause further events without end.
  if (new URL(url).host.replace(/\.(?=$|:)/, '') === app.config.webDomain) {
    return [{ field: 'url', error: 'ERR_INVALID', description: message('webhooks.urlLocal') }];
  }
  return [];
}

export const blankError = (field: string): FieldError => ({
  field,
  error: 'ERR_BLANK',
  description: message('problems.blank'),
});
