import { namesOf } from '../../platform/known-names.ts';
/** What accounts do with a post, as far as its author restricts it. Quotes have a policy of their own. */
export const interactions = ['favourite', 'reply', 'reblog'] as const;
export type Interaction = (typeof interactions)[number];

/** The groups of a policy. `unsupported`: accounts that only the server of the author can name. */
export type InteractionGroup = 'public' | 'followers' | 'following' | 'mentioned' | 'unsupported';

/** The groups that are permitted at once, and those that need the approval of the author. */
export interface InteractionRules {
  readonly automatic: readonly InteractionGroup[];
  readonly manual: readonly InteractionGroup[];
}

export type InteractionPolicy = Readonly<Record<Interaction, InteractionRules>>;

const groupBits: Readonly<Record<InteractionGroup, number>> = {
  unsupported: 1,
  public: 2,
  followers: 4,
  following: 8,
  mentioned: 16,
};
const groups = namesOf(groupBits);
const groupMask = 31;
/** Groups that need approval are in the upper five bits of ten, the others in the lower five. */
const manualShift = 5;
const interactionBits = 2 * manualShift;

const openRules: InteractionRules = { automatic: ['public'], manual: [] };

/** Everyone who sees a post may favourite, reply to and reblog it. */
export const openPolicy: InteractionPolicy = { favourite: openRules, reply: openRules, reblog: openRules };

/** Encodes a policy for storage; null: `openPolicy`. */
export function encodeInteractionPolicy(policy: InteractionPolicy): number | null {
  const encode = (rules: Readonly<Record<Interaction, InteractionRules>>): number =>
    interactions.reduce((all, name, at) => all | (encodeRules(rules[name]) << (at * interactionBits)), 0);
  const encoded = encode(policy);
  return encoded === encode(openPolicy) ? null : encoded;
}

function encodeRules({ automatic, manual }: InteractionRules): number {
  const sum = (names: readonly InteractionGroup[]) => names.reduce((all, name) => all | groupBits[name], 0);
  return sum(automatic) | (sum(manual) << manualShift);
}

/** Decodes a stored policy. */
export function decodeInteractionPolicy(stored: number | null): InteractionPolicy {
  if (stored === null) return openPolicy;
  const decode = (name: Interaction): InteractionRules => decodeRules(rulesOf(stored, name));
  return { favourite: decode('favourite'), reply: decode('reply'), reblog: decode('reblog') };
}

function decodeRules(rules: number): InteractionRules {
  const named = (mask: number) => groups.filter((name) => (mask & groupBits[name]) !== 0);
  return { automatic: named(rules & groupMask), manual: named(rules >> manualShift) };
}

const rulesOf = (stored: number, interaction: Interaction): number =>
  (stored >> (interactions.indexOf(interaction) * interactionBits)) & ((1 << interactionBits) - 1);

/** Whether an account may interact with a post: at once, after approval, or not at all. */
export type InteractionPermission = 'automatic' | 'manual' | 'denied';

/** The facts that decide whether an account may interact with a post. */
export interface InteractionFacts {
  readonly isAuthor: boolean;
  /** The account follows the author. */
  readonly isFollower: boolean;
  /** The author follows the account. */
  readonly isFollowed: boolean;
  /** The post mentions the account, or replies to it. */
  readonly isMentioned: boolean;
}

/**
 * Returns whether an account that can see a post may interact with it. The author may always, and mentioned accounts may
 * always reply. The rule for the more specific group decides, such as followers before everyone. The server of the author
 * decides about groups that are not supported.
 */
export function interactionPermission(
  stored: number | null,
  interaction: Interaction,
  facts: InteractionFacts,
): InteractionPermission {
  if (stored === null || facts.isAuthor || (interaction === 'reply' && facts.isMentioned)) return 'automatic';
  const rules = rulesOf(stored, interaction);
  const isIn = (group: number) => (rules & group) !== 0;
  const mentioned = facts.isMentioned ? groupBits.mentioned : 0;
  const related = (facts.isFollower ? groupBits.followers : 0) | (facts.isFollowed ? groupBits.following : 0);
  for (const matching of [mentioned, related, groupBits.public]) {
    if (isIn(matching)) return 'automatic';
    if (isIn(matching << manualShift)) return 'manual';
  }
  const isUnknown = isIn(groupBits.unsupported) || isIn(groupBits.unsupported << manualShift);
  return isUnknown ? 'manual' : 'denied';
}

/** Whether the rules for an interaction depend on follows. */
export function dependsOnFollows(stored: number, interaction: Interaction): boolean {
  const rules = rulesOf(stored, interaction);
  const related = groupBits.followers | groupBits.following;
  return ((rules | (rules >> manualShift)) & related) !== 0;
}
