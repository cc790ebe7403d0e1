import type { Interaction } from '../../interactions/policy/index.ts';
import type { InteractionRequestId } from '../../interactions/requests/index.ts';
import { publicCollection } from './contexts.ts';
import { idOf, isHttpUrl, typesOf, type Json } from './values.ts';

/** An interaction with a post, and the request for it. */
export interface InteractionDetails {
  readonly id: InteractionRequestId;
  readonly kind: Interaction;
  /** Ids of the author of the post and of the account that interacts. */
  readonly author: string;
  readonly actor: string;
  /** Id of the post. */
  readonly target: string;
  /** Id of the Like, reply or Announce. */
  readonly uri: string;
  /** Id of the request that the server of the actor sent. */
  readonly requestUri: string | null;
  /** Id of the authorization by a remote author, or by a local one before the server moved here. */
  readonly authorizationUri: string | null;
}

/** The names of GoToSocial for what belongs to an interaction. */
const verbs: Readonly<Record<Interaction, string>> = { favourite: 'Like', reply: 'Reply', reblog: 'Announce' };

/** Returns the id of a local authorization. */
const interactionAuthorizationUri = ({
  id,
  author,
  authorizationUri,
}: Pick<InteractionDetails, 'id' | 'author' | 'authorizationUri'>): string =>
  authorizationUri ?? `${author}/interaction_authorizations/${id}`;

/** Returns the authorization of an interaction by a local author. Has the properties of all versions of GoToSocial. */
export function interactionAuthorization(details: InteractionDetails): Json {
  const { kind, author, target, uri } = details;
  return {
    id: interactionAuthorizationUri(details),
    type: `${verbs[kind]}Authorization`,
    attributedTo: author,
    interactingObject: uri,
    interactionTarget: target,
    object: uri,
    target,
  };
}

/** Returns the Accept of an interaction, with its authorization. */
export function acceptInteraction(details: InteractionDetails): Json {
  const { id, author, actor, target } = details;
  return {
    id: `${author}#accepts/interactions/${id}`,
    type: 'Accept',
    actor: author,
    to: actor,
    object: answeredObject(details),
    target,
    result: interactionAuthorizationUri(details),
  };
}

/** Returns the Reject of an interaction. */
export function rejectInteraction(details: InteractionDetails): Json {
  const { id, author, actor, target } = details;
  const object = answeredObject(details);
  return { id: `${author}#rejects/interactions/${id}`, type: 'Reject', actor: author, to: actor, object, target };
}

/** Returns the Delete of an authorization. Names it by its id only, because servers that receive it may not see the posts. */
export function deleteAuthorization(details: InteractionDetails): Json {
  const { author } = details;
  const uri = interactionAuthorizationUri(details);
  return { id: `${uri}#delete`, type: 'Delete', actor: author, to: [publicCollection], object: uri };
}

/** An answer names the request, or the interaction if it was sent without one. */
function answeredObject({ kind, actor, target, uri, requestUri }: InteractionDetails): unknown {
  if (requestUri === null) return uri;
  return { id: requestUri, type: `${verbs[kind]}Request`, actor, object: target, instrument: uri };
}

/** What an accepted reply or reblog needs to name its authorization. */
interface AcceptedInteraction {
  readonly id: InteractionRequestId;
  /** Id of the author of the post. */
  readonly author: string;
  /** Null: the author is local. */
  readonly domain: string | null;
  /** As in `InteractionDetails`. */
  readonly authorizationUri: string | null;
}

/** Returns the properties of a reply or Announce that name its authorization; none if a remote author sent none. */
export function authorizationProperties(kind: 'reply' | 'reblog', interaction: AcceptedInteraction): Json {
  const { domain, authorizationUri } = interaction;
  const uri = domain === null ? interactionAuthorizationUri(interaction) : authorizationUri;
  if (uri === null) return {};
  return kind === 'reply'
    ? { replyAuthorization: uri, approvedBy: uri }
    : { announceAuthorization: uri, approvedBy: uri };
}

/** Returns the id of the authorization that a reply or Announce names. */
export function authorizationOf(object: Json): string | undefined {
  const names = ['replyAuthorization', 'announceAuthorization', 'approvedBy'];
  return names.map((name) => idOf(object[name])).find(isHttpUrl);
}

/** Returns whether a document authorizes the interaction. Before 0.21, GoToSocial names its Accept instead. */
export function authorizes(
  proof: Json,
  { kind, author, target, uri }: Pick<InteractionDetails, 'kind' | 'author' | 'target' | 'uri'>,
): boolean {
  const types = [`${verbs[kind]}Authorization`, `${verbs[kind]}Approval`];
  const isAccept = typesOf(proof).includes('Accept');
  const provenTarget = idOf(proof['interactionTarget']) ?? idOf(proof['target']);
  return (
    (isAccept || typesOf(proof).some((type) => types.includes(type))) &&
    idOf(proof[isAccept ? 'actor' : 'attributedTo']) === author &&
    (idOf(proof['interactingObject']) ?? idOf(proof['object'])) === uri &&
    (provenTarget === undefined || provenTarget === target)
  );
}
