import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Write } from '../platform/database/write.ts';
import { invalid, notFound } from '../platform/http/problems.ts';
import { cleanText } from '../text/index.ts';
import { siteChannel } from './site-settings.ts';

/** A rule of this server, as people agree to it when they sign up. */
export interface SiteRule {
  readonly id: string;
  readonly text: string;
  /** Further explanation; empty for none. */
  readonly hint: string;
}

/** Characters (limits.tsv: rule text). */
const longestText = 300;
const longestHint = 5_000;

const currentRules = prepared<SiteRule>()((db) =>
  db
    .selectFrom('rules')
    .select(['id', 'text', 'hint'])
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id'),
);

const cache = perApp((app) => {
  const rules = new LoadingCache<'all', readonly SiteRule[]>({
    size: 1,
    ttl: 60_000,
    load: () => currentRules(app, {}),
  });
  app.bus.subscribe(siteChannel, () => rules.clear());
  app.bus.onGap(() => rules.clear());
  return rules;
});

/** The rules in their order. Cached. */
export function listRules(app: App): Promise<readonly SiteRule[]> {
  return cache(app).get('all');
}

/** Adds a rule at the end, or before those of a higher `position`; gives its id. 422 without text or when too long. */
export async function addRule(
  { db, afterCommit }: Write,
  app: App,
  rule: { readonly text: string; readonly hint?: string; readonly position?: number },
): Promise<string> {
  const text = cleanText(rule.text).trim();
  const hint = cleanText(rule.hint ?? '').trim();
  if (text === '') throw invalid("Text can't be blank");
  if (text.length > longestText) throw invalid(`Text is too long (maximum is ${longestText} characters)`);
  if (hint.length > longestHint) throw invalid(`Hint is too long (maximum is ${longestHint} characters)`);
  const { id } = await db
    .insertInto('rules')
    .values({ text, hint, position: rule.position ?? 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  afterCommit(() => app.bus.publish(siteChannel, 1));
  return id;
}

/** Takes a rule away; it stays stored for the reports that name it. 404 when there is none. */
export async function removeRule({ db, afterCommit }: Write, app: App, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('rules')
    .set({ deleted_at: app.clock.now() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound();
  afterCommit(() => app.bus.publish(siteChannel, 1));
}
