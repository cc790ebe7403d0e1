import type { App } from '../platform/app.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { factsOf, sightOf, type Sight } from './keep-visible.ts';
import { statusBodies, type BodyQuote, type StatusBody } from './status-bodies.ts';
import { quotedSight } from './visibility.ts';

/** What statuses quote, and what those quote in turn, with all that decides whether a viewer sees it. */
export interface Quoted {
  readonly bodies: ReadonlyMap<StatusId, StatusBody>;
  readonly sight: Sight | undefined;
}

/** How a quote stands for a viewer, and what it quotes if that is shown. */
export interface SeenQuote {
  readonly state: string;
  readonly quoted: StatusBody | undefined;
}

const nothing: Quoted = { bodies: new Map(), sight: undefined };

/** What `bodies` quote; asks nothing when none of them quotes, which is how most pages are. */
export async function loadQuoted(
  app: App,
  viewerId: AccountId | undefined,
  bodies: ReadonlyMap<StatusId, StatusBody>,
): Promise<Quoted> {
  const ids = grantedIds(bodies.values());
  if (ids.length === 0) return nothing;
  const quoted = await statusBodies(app, ids);
  const below = grantedIds(quoted.values()).filter((id) => !quoted.has(id));
  const all = below.length === 0 ? quoted : new Map([...quoted, ...(await statusBodies(app, below))]);
  return { bodies: all, sight: await sightOf(app, viewerId, [...all.values()]) };
}

/** The statuses that are shown whole within one of `bodies`. */
export function shownWithin(bodies: Iterable<StatusBody>, quoted: Quoted): StatusBody[] {
  if (quoted.sight === undefined) return [];
  const shown: StatusBody[] = [];
  for (const { quote } of bodies) {
    const found = quote === null ? undefined : seenQuote(quote, quoted).quoted;
    if (found !== undefined) shown.push(found);
  }
  return shown;
}

/** Says what a viewer sees of a quote: its state, else why not what is quoted. */
export function seenQuote(quote: BodyQuote, { bodies, sight }: Quoted): SeenQuote {
  if (quote.state !== 'accepted') return { state: quote.state, quoted: undefined };
  const body = quote.quotedId === null ? undefined : bodies.get(quote.quotedId);
  if (body === undefined || sight === undefined) return { state: 'deleted', quoted: undefined };
  const state = quotedSight(factsOf(body, sight));
  return { state, quoted: state === 'unauthorized' ? undefined : body };
}

function grantedIds(bodies: Iterable<StatusBody>): StatusId[] {
  const ids: StatusId[] = [];
  for (const { quote } of bodies) {
    if (quote !== null && quote.state === 'accepted' && quote.quotedId !== null) ids.push(quote.quotedId);
  }
  return ids;
}
