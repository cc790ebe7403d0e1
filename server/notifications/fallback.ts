import { escapeHtml } from '../text/index.ts';
import type { NotificationFallback } from './schema.ts';

/** Types that every client supports; they never need a fallback. */
const baselineTypes = new Set([
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'annual_report',
  'quote',
  'quoted_update',
]);

const fallbackTexts: Readonly<Record<string, { title: string; summary: (name: string) => string }>> = {
  'admin.sign_up': { title: 'New sign-up', summary: (name) => `${name} signed up` },
  'admin.report': { title: 'New report', summary: (name) => `${name} filed a report` },
  severed_relationships: { title: 'Lost connections', summary: () => 'Some of your follows and followers are gone' },
  moderation_warning: { title: 'Moderation warning', summary: () => 'Moderators have acted on your account' },
  added_to_collection: { title: 'Added to a collection', summary: (name) => `${name} added you to a collection` },
  collection_update: { title: 'Collection changed', summary: (name) => `${name} changed a collection that you are in` },
};

/** Returns the fallback of a notification from `name` for a client that supports these types; undefined if none is needed. */
export function buildFallback(
  type: string,
  name: string,
  supported: readonly string[] | undefined,
): NotificationFallback | undefined {
  if (supported === undefined || supported.includes(type) || baselineTypes.has(type)) return undefined;
  const known = Object.hasOwn(fallbackTexts, type) ? fallbackTexts[type] : undefined;
  return {
    title: known === undefined ? null : escapeHtml(known.title),
    summary: escapeHtml(known?.summary(name) ?? `Something new from ${name}`),
    description: null,
  };
}
