// Who may favourite, reply to and reblog a post.
export { parsePolicyInput, presentPolicy } from './api-policy.ts';
export {
  decodeInteractionPolicy,
  encodeInteractionPolicy,
  openPolicy,
  type Interaction,
  type InteractionGroup,
  type InteractionPermission,
  type InteractionPolicy,
  type InteractionRules,
} from './interaction-policy.ts';
export {
  loadInteractionPermission,
  needsProof,
  remoteInteractionPermission,
  type RestrictedStatus,
} from './load-permission.ts';
export { InteractionPolicyInput } from './schema.ts';
