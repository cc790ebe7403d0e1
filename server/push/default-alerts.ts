import { PushAlerts, type PushSubscriptionInput } from './schema.ts';

/** Returns whether a browser runs on a phone or tablet. */
export const isMobileBrowser = (userAgent: string | string[] | undefined): boolean =>
  /mobi|android|iphone|ipad|tablet/i.test(String(userAgent ?? ''));

/**
 * Returns the input with `isOn` for each alert that the client did not send. Browsers of phones show notifications only by
 * push, so their default is on (reference/endpoints.tsv).
 */
export function withDefaultAlerts(input: PushSubscriptionInput, isOn: boolean): PushSubscriptionInput {
  const defaults = Object.fromEntries(Object.keys(PushAlerts.properties).map((type) => [type, isOn]));
  return { ...input, data: { ...input.data, alerts: { ...defaults, ...input.data?.alerts } } };
}
