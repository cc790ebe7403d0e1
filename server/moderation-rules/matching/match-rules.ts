import { dateFromId } from '../../platform/ids.ts';
import { parentDomains, type CompiledRules, type EnabledRule } from './compile-rules.ts';
import { foldText } from '../../text/index.ts';
import type { Screened, ScreenedLink } from './screened.ts';

/** UTF-16 units that are searched; longer than any stored text. */
const maxUnits = 200_000;
/** Links that are compared. */
const maxLinks = 1_000;
const hourMs = 3_600_000;
/** No keyword contains it, so none spans two texts. */
const separator = '\0';

/**
 * Returns the rules that match. Conditions that need a query come last, and only for rules whose other conditions hold, so
 * that most posts cost none.
 */
export async function matchRules(compiled: CompiledRules, screened: Screened, now: Date): Promise<EnabledRule[]> {
  const found = await searchKeywords(compiled, screened);
  const links = compiled.hasLinks ? (screened.links?.() ?? []).slice(0, maxLinks) : [];
  const linked = findLinkedRules(compiled, links);
  const { accountId } = screened;
  const age = accountId === undefined ? Infinity : now.getTime() - dateFromId(accountId).getTime();
  const domains = new Set(screened.domain === null ? [] : parentDomains(screened.domain));
  const candidates = compiled.rules.filter(({ conditions }, place) => {
    const { text, links: link, account_younger_than: hours, domains: wanted, languages } = conditions;
    return (
      (text === undefined || found.has(place)) &&
      (link?.domains === undefined || linked.has(place)) &&
      (link?.at_least === undefined || links.filter(({ isMarked }) => !isMarked).length >= link.at_least) &&
      (hours === undefined || age < hours * hourMs) &&
      (wanted === undefined || wanted.some((domain) => domains.has(domain))) &&
      (languages === undefined || languages.some((code) => isInLanguage(screened.language, code)))
    );
  });
  return filterByQueries(candidates, screened, now);
}

async function searchKeywords({ keywords }: CompiledRules, { texts }: Screened): Promise<{ has(at: number): boolean }> {
  if (keywords === undefined) return new Set();
  const text = (await texts()).join(separator).slice(0, maxUnits);
  return keywords.search(foldText(text));
}

/** Returns the places of the rules of which one domain is that of a link, or above it. */
function findLinkedRules({ linkDomains }: CompiledRules, links: readonly ScreenedLink[]): ReadonlySet<number> {
  if (linkDomains.size === 0) return new Set();
  const hosts = new Set(links.flatMap(({ host }) => parentDomains(host)));
  return new Set([...hosts].flatMap((host) => linkDomains.get(host) ?? []));
}

/** Whether a language is the wanted one, or a regional form of it. */
const isInLanguage = (language: string | null, wanted: string): boolean =>
  language !== null && (language === wanted || language.startsWith(`${wanted}-`));

/** Keeps the rules whose conditions about files, strangers and rates hold: one query for each, and for each period. */
async function filterByQueries(
  candidates: readonly EnabledRule[],
  screened: Screened,
  now: Date,
): Promise<EnabledRule[]> {
  const similar = await filterByMedia(candidates, screened);
  const strangers = similar.some(({ conditions }) => conditions.strangers_at_least !== undefined)
    ? ((await screened.countStrangers?.()) ?? 0)
    : 0;
  const familiar = similar.filter(({ conditions }) => strangers >= (conditions.strangers_at_least ?? 0));
  const rates = familiar.flatMap(({ conditions }) => conditions.rate ?? []);
  const counts = new Map<number, number>();
  for (const [seconds, group] of Map.groupBy(rates, (rate) => rate.seconds)) {
    const max = Math.max(...group.map(({ more_than: moreThan }) => moreThan)) + 1;
    counts.set(seconds, await screened.countSince(new Date(now.getTime() - seconds * 1_000), max));
  }
  return familiar.filter(
    ({ conditions: { rate } }) => rate === undefined || (counts.get(rate.seconds) ?? 0) > rate.more_than,
  );
}

async function filterByMedia(candidates: readonly EnabledRule[], { mediaHashes }: Screened): Promise<EnabledRule[]> {
  const isAsked = candidates.some(({ conditions }) => conditions.media_hashes !== undefined);
  const hashes = new Set(isAsked ? await mediaHashes?.() : []);
  return candidates.filter(
    ({ conditions: { media_hashes: wanted } }) => wanted?.some((hash) => hashes.has(hash)) ?? true,
  );
}
