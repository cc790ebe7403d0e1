import { normalizeDomain } from '../../accounts/find/index.ts';
import { isBlurhash } from '../../media/remote/index.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import { message, type Message } from '../../platform/i18n/message.ts';
import { parseParams, type Params } from '../../platform/http/parse-params.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { foldText } from '../../text/index.ts';
import { RuleConditions } from '../schema.ts';
import type { RuleSubjectKind } from '../tables.ts';

/** Items of a list in a condition. */
const maxItems = 200;
/** UTF-16 units of a keyword after folding. */
const maxKeywordUnits = 200;
/** Hours: about ten years. */
const maxHours = 87_600;
const maxCount = 1_000;
/** A day: earlier posts are counted for each new one. */
const maxSeconds = 86_400;

/** Conditions for what is no post. */
const applicable: Readonly<Record<Exclude<RuleSubjectKind, 'post'>, readonly string[]>> = {
  sign_up: ['text', 'domains', 'languages', 'rate'],
  follow: ['text', 'account_younger_than', 'domains', 'rate'],
};

/** Returns valid conditions in their normal form. Throws 422 that names the first invalid one. */
export function parseConditions(value: unknown, subject: RuleSubjectKind): RuleConditions {
  const params = asObject(value, 'conditions');
  const parsed = parseParams(RuleConditions, params) as RuleConditions;
  assertKnown(RuleConditions, { given: params, parsed, path: 'conditions' });
  const { text, links, account_younger_than: age, strangers_at_least: strangers, media_hashes: hashes } = parsed;
  const { domains, languages, rate } = parsed;
  const conditions: RuleConditions = {
    ...(text !== undefined && { text: parseText(text) }),
    ...(links !== undefined && { links: parseLinks(links) }),
    ...(age !== undefined && { account_younger_than: parseCount(age, 'account_younger_than', maxHours) }),
    ...(strangers !== undefined && { strangers_at_least: parseCount(strangers, 'strangers_at_least', maxCount) }),
    ...(hashes !== undefined && { media_hashes: parseHashes(hashes) }),
    ...(domains !== undefined && { domains: parseDomains(domains, 'domains') }),
    ...(languages !== undefined && { languages: parseLanguages(languages) }),
    ...(rate !== undefined && { rate: parseRate(rate) }),
  };
  for (const name of Object.keys(conditions)) {
    if (subject !== 'post' && !applicable[subject].includes(name))
      fail(`conditions.${name}`, 'ERR_INVALID', message('moderationRules.notForSubject', { subject }));
  }
  // Without a condition, a rule would match everything.
  if (Object.keys(conditions).length === 0) fail('conditions', 'ERR_BLANK', message('problems.blank'));
  return conditions;
}

const asObject = (value: unknown, field: string): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Params)
    : fail(field, 'ERR_INVALID', message('problems.invalid'));

/**
 * Throws 422 for a member that the schema does not have, or that could not be parsed: without it the rule would match
 * more than intended.
 */
function assertKnown(
  { properties = {} }: { readonly properties?: Readonly<Record<string, unknown>> },
  { given, parsed, path }: { readonly given: Params; readonly parsed: Params; readonly path: string },
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const field = `${path}.${name}`;
    if (!Object.hasOwn(properties, name)) fail(field, 'ERR_INVALID', message('moderationRules.unknownCondition'));
    const [shape, kept] = [properties[name] as typeof RuleConditions, parsed[name]];
    if (kept === undefined) fail(field, 'ERR_INVALID', message('problems.invalid'));
    if (shape.properties !== undefined)
      assertKnown(shape, { given: asObject(value, field), parsed: kept as Params, path: field });
  }
}

function parseText({ keywords, whole_word: wholeWord = false }: NonNullable<RuleConditions['text']>) {
  const field = 'conditions.text.keywords';
  const parsed = parseItems(keywords, field, (keyword) => {
    const text = keyword.trim();
    if (foldText(text).trim() === '') fail(field, 'ERR_BLANK', message('problems.blank'));
    if (foldText(text).length > maxKeywordUnits)
      fail(field, 'ERR_TOO_LONG', message('problems.tooLong', { max: maxKeywordUnits }));
    return text;
  });
  return { keywords: parsed, whole_word: wholeWord };
}

function parseLinks({ domains, at_least: atLeast }: NonNullable<RuleConditions['links']>) {
  if (domains === undefined && atLeast === undefined) fail('conditions.links', 'ERR_BLANK', message('problems.blank'));
  return {
    ...(domains !== undefined && { domains: parseDomains(domains, 'links.domains') }),
    ...(atLeast !== undefined && { at_least: parseCount(atLeast, 'links.at_least', maxCount) }),
  };
}

const parseDomains = (domains: readonly string[], name: string): string[] =>
  parseItems(
    domains,
    `conditions.${name}`,
    (text) =>
      normalizeDomain(text.trim()) ??
      fail(`conditions.${name}`, 'ERR_INVALID', message('problems.notDomainValue', { value: text })),
  );

const parseHashes = (hashes: readonly string[]): string[] =>
  parseItems(hashes, 'conditions.media_hashes', (hash) =>
    isBlurhash(hash) ? hash : fail('conditions.media_hashes', 'ERR_INVALID', message('moderationRules.notBlurhash')),
  );

const parseLanguages = (codes: readonly string[]): string[] =>
  parseItems(
    codes,
    'conditions.languages',
    (code) =>
      findLanguage(code) ?? fail('conditions.languages', 'ERR_INVALID', message('problems.unknownLanguage', { code })),
  );

const parseRate = ({ more_than: moreThan, seconds }: NonNullable<RuleConditions['rate']>) => ({
  more_than: parseCount(moreThan, 'rate.more_than', maxCount),
  seconds: parseCount(seconds, 'rate.seconds', maxSeconds),
});

function parseItems(items: readonly string[], field: string, parse: (item: string) => string): string[] {
  if (items.length === 0) fail(field, 'ERR_BLANK', message('problems.needsItem'));
  if (items.length > maxItems) fail(field, 'ERR_TOO_LONG', message('problems.tooMany', { max: maxItems }));
  return [...new Set(items.map(parse))];
}

function parseCount(count: number, name: string, max: number): number {
  if (!Number.isInteger(count) || count < 1 || count > max)
    fail(`conditions.${name}`, 'ERR_INVALID', message('problems.notBetween', { min: 1, max }));
  return count;
}

function fail(field: string, error: string, description: Message): never {
  throw invalidFieldsError([{ field, error, description }]);
}
