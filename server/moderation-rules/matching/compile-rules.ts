import { KeywordAutomaton } from '../../text/keywords/index.ts';
import type { ModerationRuleRow } from '../tables.ts';
import { foldText } from '../../text/index.ts';

/** What rules need of the enabled ones. */
export type EnabledRule = Pick<
  ModerationRuleRow,
  'id' | 'title' | 'subject' | 'origin' | 'conditions' | 'actions' | 'score'
>;

/**
 * The rules for one kind of subject, compiled: all keywords are in one automaton and all domains in one map, so that the
 * time hardly depends on the number of rules.
 */
export interface CompiledRules {
  readonly rules: readonly EnabledRule[];
  /** Finds all keywords at once; its groups are indexes of `rules`. Undefined if no rule has keywords. */
  readonly keywords: KeywordAutomaton | undefined;
  /** Places of rules by domains of links. */
  readonly linkDomains: ReadonlyMap<string, readonly number[]>;
  readonly hasLinks: boolean;
}

/** Compiles rules; undefined if there are none. */
export function compileRules(rules: readonly EnabledRule[]): CompiledRules | undefined {
  if (rules.length === 0) return undefined;
  const keywords = rules.flatMap(({ conditions: { text } }, group) =>
    (text?.keywords ?? []).map((keyword) => ({
      text: foldText(keyword),
      wholeWord: text?.whole_word === true,
      group,
    })),
  );
  const linkDomains = new Map<string, number[]>();
  for (const [place, { conditions }] of rules.entries()) {
    for (const domain of conditions.links?.domains ?? [])
      linkDomains.set(domain, [...(linkDomains.get(domain) ?? []), place]);
  }
  return {
    rules,
    keywords: keywords.length === 0 ? undefined : new KeywordAutomaton(keywords),
    linkDomains,
    hasLinks: rules.some(({ conditions }) => conditions.links !== undefined),
  };
}

/** Returns a domain and the domains above it. */
export function parentDomains(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}
