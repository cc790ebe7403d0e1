import { ensureInstanceActor } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { isAllowedUrl } from '../../platform/outgoing/allowed-url.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { relaysChanged } from '../events.ts';
import { writable, type RelayId, type RelayRow } from '../tables.ts';
import { lockRelay } from './find-relays.ts';
import type { Relay } from './schema.ts';
import { startSubscription, withdraw } from './subscribe-relay.ts';

export interface NewRelay {
  readonly url: string;
  /** Default: `litepub` if the path ends with `/actor` or `/relay`, else `mastodon`. */
  readonly kind?: Relay['kind'] | undefined;
}

const maxUrlLength = 2_000;
/** Each public post is sent to every relay, and each sends as it likes. */
const maxRelays = 50;

/** Adds a relay and subscribes to it. Throws 422 for an invalid, blocked or known address. */
export async function addRelay(app: App, staff: Staff, { url: text, kind }: NewRelay): Promise<RelayRow> {
  const url = parseUrl(app, text);
  if (await isBlockedDomain(app, url.host)) throw validationFailed('relays.domainBlocked', { domain: url.host });
  await ensureInstanceActor(app);
  const now = app.clock.now();
  const usedKind = kind ?? (/\/(?:actor|relay)\/?$/.test(url.pathname) ? 'litepub' : 'mastodon');
  return transaction(app, async (tx) => {
    const relays = await tx.db.selectFrom('relays').select('id').limit(maxRelays).execute();
    if (relays.length === maxRelays) throw validationFailed('relays.tooMany', { max: maxRelays });
    const added = await writable(tx.db)
      .insertInto('relays')
      .values({
        id: newId<'relay'>(now),
        url: url.href,
        kind: usedKind,
        state: 'idle',
        inbox_url: usedKind === 'mastodon' ? url.href : null,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('url').doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(() => validationFailed('relays.known', { url: url.href }));
    const relay = await startSubscription(tx, app, added);
    recordStaffAction(tx, staff, {
      target: 'relay',
      verb: 'create',
      id: relay.id,
      label: relay.url,
      after: { kind: relay.kind, state: relay.state },
    });
    return relay;
  });
}

/** Unsubscribes from a relay and deletes it. Throws 404 if there is none. */
export async function removeRelay(app: App, staff: Staff, id: RelayId): Promise<void> {
  await ensureInstanceActor(app);
  await transaction(app, async (tx) => {
    const relay = await lockRelay(tx, id);
    if (relay === undefined) throw notFound();
    await withdraw(tx, app, relay);
    await writable(tx.db).deleteFrom('relays').where('id', '=', id).execute();
    tx.emit(relaysChanged({}));
    recordStaffAction(tx, staff, {
      target: 'relay',
      verb: 'delete',
      id,
      label: relay.url,
      before: { kind: relay.kind, state: relay.state },
    });
  });
}

function parseUrl({ config }: App, text: string): URL {
  const trimmed = text.trim();
  if (trimmed.length > maxUrlLength) throw invalidField('url', 'problems.tooLong', { max: maxUrlLength });
  if (!isAllowedUrl(config, trimmed)) throw invalidField('url', 'relays.urlNotPublic');
  const url = new URL(trimmed);
  if (url.host === config.webDomain || url.host === config.domain) throw invalidField('url', 'relays.urlLocal');
  url.hash = '';
  return url;
}
