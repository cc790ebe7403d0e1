import type { ModerationRule } from '../../api/entities.ts';
import type { FormValues } from '../form/fields.ts';

type Conditions = ModerationRule['conditions'];

/** Returns a rule as the values of its form. */
export function toRuleValues(rule: ModerationRule): FormValues {
  const { text, links, rate, ...others } = rule.conditions;
  const number = (value: number | undefined): string => (value === undefined ? '' : String(value));
  return {
    title: rule.title,
    subject: rule.subject,
    origin: rule.origin,
    actions: rule.actions,
    score: String(rule.score),
    keywords: text?.keywords ?? [],
    whole_word: text?.whole_word ?? false,
    link_domains: links?.domains ?? [],
    links_at_least: number(links?.at_least),
    account_younger_than: number(others.account_younger_than),
    strangers_at_least: number(others.strangers_at_least),
    domains: others.domains ?? [],
    languages: others.languages ?? [],
    media_hashes: others.media_hashes ?? [],
    rate_more_than: number(rate?.more_than),
    rate_seconds: number(rate?.seconds),
  };
}

interface Flat {
  readonly keywords?: readonly string[];
  readonly whole_word?: boolean;
  readonly link_domains?: readonly string[];
  readonly links_at_least?: number;
  readonly rate_more_than?: number;
  readonly rate_seconds?: number;
  readonly domains?: readonly string[];
  readonly languages?: readonly string[];
  readonly media_hashes?: readonly string[];
  readonly account_younger_than?: number;
  readonly strangers_at_least?: number;
}

/** Returns the body of a request for the fields of a form: empty conditions are left out. */
export function toConditions(body: Record<string, unknown>): object {
  const { title, subject, origin, actions, score, ...flat } = body;
  const values = flat as Flat;
  const { keywords = [], link_domains: linkDomains = [], links_at_least: atLeast } = values;
  const { rate_more_than: moreThan, rate_seconds: seconds } = values;
  const conditions: Conditions = {
    ...(keywords.length > 0 && { text: { keywords, whole_word: values.whole_word ?? false } }),
    ...((linkDomains.length > 0 || atLeast !== undefined) && {
      links: {
        ...(linkDomains.length > 0 && { domains: linkDomains }),
        ...(atLeast !== undefined && { at_least: atLeast }),
      },
    }),
    ...(values.account_younger_than !== undefined && { account_younger_than: values.account_younger_than }),
    ...(values.strangers_at_least !== undefined && { strangers_at_least: values.strangers_at_least }),
    ...listOf('domains', values.domains),
    ...listOf('languages', values.languages),
    ...listOf('media_hashes', values.media_hashes),
    ...(moreThan !== undefined && seconds !== undefined && { rate: { more_than: moreThan, seconds } }),
  };
  return { title, subject, origin, actions, conditions, ...(score !== undefined && { score }) };
}

const listOf = (name: string, list: readonly string[] = []): object => (list.length > 0 ? { [name]: list } : {});
