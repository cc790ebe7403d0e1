import {
  decodeInteractionPolicy,
  encodeInteractionPolicy,
  openPolicy,
  type InteractionGroup,
  type InteractionRules,
} from '../../interactions/policy/index.ts';
import { decodeQuotePolicy, type QuoteGroup } from '../../quotes/policy/index.ts';
import { publicCollection } from './contexts.ts';
import type { Note, ParsedRules } from './parse-note.ts';
import { isPublic, type Json } from './values.ts';

interface LocalAudience {
  readonly actor: string;
  readonly followers: string;
  readonly following: string;
  /** Actors that the post mentions, and the one that it replies to. */
  readonly mentioned: readonly string[];
}

interface StoredPolicies {
  readonly quote_policy: number;
  readonly interaction_policy: number | null;
}

/**
 * Returns the policies of a local post. All are declared, also those that permit everyone, so that other servers know that
 * they are enforced. An empty audience is written as the author alone, who is always permitted.
 */
export function policyProperties(policies: StoredPolicies, audience: LocalAudience): Json {
  const { favourite, reply, reblog } = decodeInteractionPolicy(policies.interaction_policy);
  return {
    canQuote: { automaticApproval: quoteApproval(policies.quote_policy, audience) },
    canLike: rulesDocument(favourite, audience),
    canReply: rulesDocument({ ...reply, automatic: [...reply.automatic, 'mentioned'] }, audience),
    canAnnounce: rulesDocument(reblog, audience),
  };
}

function quoteApproval(policy: number, { actor, followers }: LocalAudience): string[] {
  const names: Partial<Record<QuoteGroup, string>> = { public: publicCollection, followers };
  const approved = decodeQuotePolicy(policy).automatic.flatMap((group) => names[group] ?? []);
  return approved.length > 0 ? approved : [actor];
}

function rulesDocument({ automatic, manual }: InteractionRules, audience: LocalAudience): Json {
  if (automatic.includes('public')) return { automaticApproval: [publicCollection] };
  const permitted = [audience.actor, ...automatic.flatMap((group) => urisOf(group, audience))];
  const asked = manual.flatMap((group) => urisOf(group, audience)).filter((uri) => !permitted.includes(uri));
  return {
    automaticApproval: [...new Set(permitted)],
    ...(asked.length > 0 && { manualApproval: [...new Set(asked)] }),
  };
}

function urisOf(group: InteractionGroup, { followers, following, mentioned }: LocalAudience): readonly string[] {
  switch (group) {
    case 'public':
      return [publicCollection];
    case 'followers':
      return [followers];
    case 'following':
      return [following];
    case 'mentioned':
      return mentioned;
    case 'unsupported':
      return [];
  }
}

interface PolicyActor {
  readonly uri: string;
  readonly followers_url: string | null;
  readonly following_url: string | null;
}

/** Returns the stored form of a remote post's policy; null if it permits everyone or declares none. */
export function parseInteractionPolicy(
  { canInteract, mentions }: Pick<Note, 'canInteract' | 'mentions'>,
  actor: PolicyActor,
): number | null {
  const rules = (parsed: ParsedRules | undefined, missing: InteractionRules): InteractionRules =>
    parsed === undefined
      ? missing
      : { automatic: groupsOf(parsed.automatic, actor, mentions), manual: groupsOf(parsed.manual, actor, mentions) };
  return encodeInteractionPolicy({
    favourite: rules(canInteract.favourite, openPolicy.favourite),
    reply: rules(canInteract.reply, openPolicy.reply),
    reblog: rules(canInteract.reblog, openPolicy.reblog),
  });
}

/** Other actors than the mentioned ones are not stored, so their server decides. The author is always permitted. */
function groupsOf(ids: readonly string[], actor: PolicyActor, mentions: readonly string[]): InteractionGroup[] {
  if (ids.some(isPublic)) return ['public'];
  const groups = ids.flatMap((id): InteractionGroup[] => {
    if (id === actor.uri) return [];
    if (id === actor.followers_url) return ['followers'];
    if (id === actor.following_url) return ['following'];
    return [mentions.includes(id) ? 'mentioned' : 'unsupported'];
  });
  return [...new Set(groups)];
}
