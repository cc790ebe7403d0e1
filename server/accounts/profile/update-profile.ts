import { type Updateable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { accountChanged, accountUnlocked, accountUpdated } from '../events.ts';
import type { AccountRow } from '../find/find-accounts.ts';
import { normalizeDomain } from '../find/parse-handle.ts';
import type { ProfileChanges, StoredImage } from './profile-changes.ts';
import { assertValidProfile, toProfileFields } from './profile-rules.ts';
import { deleteReplacedImages } from './delete-replaced-images.ts';
import { writable, type AccountTables, type ActorType } from '../tables.ts';
import { verifyNewLinks } from './verify-links.ts';
import { emitWithdrawnConsent } from './withdrawn-consent.ts';

/** Changes a local profile. Throws 422 with all invalid fields. */
export function updateProfile(app: App, accountId: AccountId, changes: ProfileChanges): Promise<void> {
  return transaction(app, (tx) => changeProfile(tx, app, accountId, changes));
}

/** `updateProfile` inside a transaction. */
export async function changeProfile(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  changes: ProfileChanges,
): Promise<void> {
  assertValidProfile(changes);
  const before = await tx.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .where('domain', 'is', null)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound());
  const columns = toColumns(changes, before);
  if (Object.keys(columns).length === 0) return;
  await writable(tx.db)
    .updateTable('accounts')
    .set({ ...columns, updated_at: app.clock.now() })
    .where('id', '=', accountId)
    .execute();
  deleteReplacedImages(tx, before, columns);
  if (changes.fields !== undefined) {
    const fields = toProfileFields(changes.fields, before.fields);
    verifyNewLinks(tx, app, accountId, { fields, before: before.fields, local: true });
  }
  tx.emit(accountUpdated({ accountId }));
  const { discoverable = before.discoverable, indexable = before.indexable } = changes;
  emitWithdrawnConsent(tx, accountId, before, { discoverable, indexable });
  if (before.locked && changes.locked === false) tx.emit(accountUnlocked({ accountId }));
  tx.emit(accountChanged({ accountId }));
}

type Columns = Updateable<AccountTables['accounts']>;

function toColumns(changes: ProfileChanges, before: AccountRow): Columns {
  return omitUndefined({
    display_name: changes.displayName?.trim(),
    note: changes.note?.trim(),
    locked: changes.locked,
    actor_type: changes.bot === undefined ? undefined : actorType(changes.bot, before.actor_type),
    discoverable: changes.discoverable,
    indexable: changes.indexable,
    hide_collections: changes.hideCollections,
    show_media: changes.showMedia,
    show_media_replies: changes.showMediaReplies,
    show_featured: changes.showFeatured,
    attribution_domains: changes.attributionDomains && [
      ...new Set(changes.attributionDomains.flatMap((domain) => normalizeDomain(domain) ?? [])),
    ],
    fields: changes.fields && JSON.stringify(toProfileFields(changes.fields, before.fields)),
    ...imageColumns('avatar', changes.avatar),
    avatar_description: changes.avatarDescription?.trim(),
    ...imageColumns('header', changes.header),
    header_description: changes.headerDescription?.trim(),
  });
}

function imageColumns(kind: 'avatar' | 'header', image: StoredImage | null | undefined): Columns {
  if (image === undefined) return {};
  return { [`${kind}_key`]: image?.key ?? null, [`${kind}_static_key`]: image?.staticKey ?? null };
}

/** Maps `bot` of the API to an actor type. A group or application keeps its type. */
function actorType(bot: boolean, before: ActorType): ActorType {
  if (before === 'Group' || before === 'Application') return before;
  return bot ? 'Service' : 'Person';
}

function omitUndefined(columns: { [Name in keyof Columns]: Columns[Name] | undefined }): Columns {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
