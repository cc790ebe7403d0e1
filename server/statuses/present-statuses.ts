import { accountBodies, type AccountBody } from '../accounts/index.ts';
import { cardText } from '../cards/index.ts';
import { grantViewer } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, JsonText } from '../platform/http/answers.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { presentPoll, type ShownPoll } from '../polls/index.ts';
import { approvalText, quotingTies, type QuotingTies } from './quote-approval.ts';
import { loadQuoted, seenQuote, shownWithin, type Quoted } from './quoted-statuses.ts';
import { loadOverlays, type Overlay } from './overlays.ts';
import type { Status } from './schema.ts';
import { statusBodies, type StatusBody } from './status-bodies.ts';
import { linkedCollections, withCollections, type CollectionTexts } from './tagged-collections.ts';

/** Whoever looks: a `Viewer`, or just its account; undefined for the anonymous. */
export type Beholder = { readonly accountId: AccountId } | undefined;

interface Loaded {
  readonly viewerId: AccountId | undefined;
  readonly originals: ReadonlyMap<StatusId, StatusBody>;
  readonly accounts: ReadonlyMap<AccountId, AccountBody>;
  readonly overlays: ReadonlyMap<StatusId, Overlay>;
  readonly collections: CollectionTexts;
  readonly quoted: Quoted;
  readonly ties: QuotingTies;
  /** Makes the addresses of guarded attachments in JSON work for the viewer. */
  readonly grant: (json: string) => string;
  /** Polls end by the clock. */
  readonly now: Date;
}

/**
 * Turns ids into API statuses as `viewer` sees them, in the order given, with a fixed number of queries. Those that are
 * gone, and reblogs of such, are left out. Does not decide who may see them: `requireVisibleStatus` and `keepVisible` do.
 */
export async function presentStatuses(
  app: App,
  viewer: Beholder,
  ids: readonly StatusId[],
): Promise<JsonText<Status>[]> {
  const statuses = await presentEach(app, viewer, ids);
  return ids.flatMap((id) => statuses.get(id) ?? []);
}

/** As `presentStatuses`, by id, for those who put them into more than one list. */
export async function presentEach(
  app: App,
  viewer: Beholder,
  ids: readonly StatusId[],
): Promise<Map<StatusId, JsonText<Status>>> {
  const bodies = await statusBodies(app, ids);
  const originals = await originalsOf(app, bodies);
  const viewerId = viewer?.accountId;
  const quoted = await loadQuoted(app, viewerId, originals);
  const whole = [...originals.values(), ...shownWithin(originals.values(), quoted)];
  const authors = new Set<AccountId>();
  for (const body of bodies.values()) authors.add(body.accountId);
  for (const body of whole) authors.add(body.accountId);
  const [accounts, overlays, ties, collections, grant] = await Promise.all([
    accountBodies(app, [...authors]),
    viewerId === undefined ? new Map<StatusId, Overlay>() : loadOverlays(app, viewerId, whole),
    quotingTies(app, viewerId, whole),
    linkedCollections(app, viewer, whole),
    viewerId === undefined ? unchanged : grantViewer(app, viewerId),
  ]);
  const loaded: Loaded = {
    viewerId,
    originals,
    accounts,
    overlays,
    collections,
    quoted,
    ties,
    grant,
    now: app.clock.now(),
  };
  const statuses = new Map<StatusId, JsonText<Status>>();
  for (const [id, body] of bodies) {
    const pieces = compose(body, loaded);
    if (pieces !== undefined) statuses.set(id, new JsonText(pieces));
  }
  return statuses;
}

/** One status as `viewer` sees it; 404 when it is gone. Does not decide who may see it. */
export async function presentStatus(app: App, viewer: Beholder, id: StatusId): Promise<JsonText<Status>> {
  const [status] = await presentStatuses(app, viewer, [id]);
  if (status === undefined) throw notFound();
  return status;
}

const unchanged = (json: string): string => json;

/** The statuses themselves, and for reblogs what they reblog. */
async function originalsOf(app: App, bodies: Map<StatusId, StatusBody>): Promise<Map<StatusId, StatusBody>> {
  const originals = new Map<StatusId, StatusBody>();
  const elsewhere: StatusId[] = [];
  for (const body of bodies.values()) {
    if (body.reblogOfId === null) originals.set(body.id, body);
    else if (!bodies.has(body.reblogOfId)) elsewhere.push(body.reblogOfId);
  }
  if (elsewhere.length === 0) return originals;
  for (const [id, body] of await statusBodies(app, elsewhere)) originals.set(id, body);
  return originals;
}

/** JSON in pieces, so that a page of it is joined once. */
type Pieces = readonly string[];

const nothing: Pieces = ['null'];

function compose(body: StatusBody, loaded: Loaded): Pieces | undefined {
  const original = loaded.originals.get(body.reblogOfId ?? body.id);
  if (original === undefined) return undefined;
  const overlay = loaded.overlays.get(original.id);
  const parts = { reblog: nothing, quote: quotePieces(original, loaded), overlay };
  if (original === body) return join(body, original, loaded, parts);
  // Never muted on a nested reblog (STA-03).
  const nested = join(original, original, loaded, { ...parts, overlay: overlay && { ...overlay, muted: false } });
  return nested && join(body, original, loaded, { reblog: nested, quote: nothing, overlay });
}

/** What a status quotes, with its own quote only named. */
function quotePieces({ quote }: StatusBody, loaded: Loaded): Pieces {
  if (quote === null) return nothing;
  const { state, quoted } = seenQuote(quote, loaded.quoted);
  const pieces =
    quoted &&
    join(quoted, quoted, loaded, {
      reblog: nothing,
      quote: [shallowQuoteText(quoted, loaded)],
      overlay: loaded.overlays.get(quoted.id),
    });
  if (quoted !== undefined && pieces === undefined) return [`{"state":"deleted","quoted_status":null}`];
  return [`{"state":"${state}","quoted_status":`, ...(pieces ?? nothing), '}'];
}

function shallowQuoteText({ quote }: StatusBody, loaded: Loaded): string {
  if (quote === null) return 'null';
  const { state, quoted } = seenQuote(quote, loaded.quoted);
  return `{"state":"${state}","quoted_status_id":${quoted === undefined ? 'null' : `"${quoted.id}"`}}`;
}

interface Parts {
  readonly reblog: Pieces;
  readonly quote: Pieces;
  readonly overlay: Overlay | undefined;
}

/** `original`: the status itself, or what it reblogs. */
function join(
  body: StatusBody,
  original: StatusBody,
  { viewerId, accounts, collections, ties, grant, now }: Loaded,
  { reblog, quote, overlay }: Parts,
): Pieces | undefined {
  const account = accounts.get(body.accountId);
  if (account === undefined) return undefined;
  const own = viewerId === body.accountId;
  const shared = own ? body.ownHead : body.head;
  const head = withCollections(body.hasGuardedMedia ? grant(shared) : shared, body, collections);
  const pieces = [head, ',', body.counters.text];
  pieces.push(',"card":', body.card === null ? 'null' : cardText(body.card.text, body.card.url, viewerId));
  pieces.push(',"poll":', body.poll === null ? 'null' : pollText(body.poll, viewerId, overlay, now));
  pieces.push(',"quote":', ...quote, ',"quote_approval":', approvalText(original, viewerId, ties));
  pieces.push(',"account":', account.json, ',"reblog":', ...reblog);
  pieces.push(viewerId === undefined ? '' : overlayJson(overlay, own && isPinnable(body)), '}');
  return pieces;
}

function pollText(poll: ShownPoll, viewerId: AccountId | undefined, overlay: Overlay | undefined, now: Date): string {
  const votes = overlay?.ballot?.choices ?? [];
  return asciiJson(presentPoll(poll, viewerId && { accountId: viewerId, votes }, now));
}

const isPinnable = ({ reblogOfId, visibility }: StatusBody): boolean => reblogOfId === null && visibility !== 'direct';

function overlayJson(overlay: Overlay | undefined, pinnable: boolean): string {
  if (overlay === undefined) return overlayJson(untouched, pinnable);
  const { favourited, reblogged, muted, bookmarked, pinned } = overlay;
  if (!(pinnable || favourited || reblogged || muted || bookmarked)) return untouchedText;
  const pin = pinnable ? `,"pinned":${pinned}` : '';
  return `,"favourited":${favourited},"reblogged":${reblogged},"muted":${muted},"bookmarked":${bookmarked}${pin},"filtered":[]`;
}

/** Of nearly all that one reads. */
const untouchedText = ',"favourited":false,"reblogged":false,"muted":false,"bookmarked":false,"filtered":[]';
const untouched: Overlay = { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false };
