import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { DeliveredNote, Note } from '../documents/parse-note.ts';
import { isPublic } from '../documents/values.ts';
import { findAccountByAddress } from '../find-account-by-address.ts';
import { isLocalActorAddress } from '../local-addresses.ts';
import { resolveAccount } from './resolve-account.ts';

/** Maximum number of unknown accounts that are fetched per post. */
const maxUnknownMentions = 20;

/**
 * Returns the accounts that a post mentions. A tag counts only if the post is also addressed to the account; remote
 * accounts in tags of a public post are included for display. Silent: local accounts that are addressed but not tagged,
 * or that received a post for others in their inbox.
 */
export async function resolveAddressees(
  app: App,
  note: DeliveredNote,
): Promise<{ accountId: AccountId; silent: boolean }[]> {
  const found = new Map<AccountId, boolean>();
  const mentionUris = [...new Set(note.mentions)]
    .slice(0, 200)
    .filter((uri, place) => place < maxUnknownMentions || isLocalActorAddress(app, uri));
  const addressed = await findLocalAddressees(app, note);
  const ids = await Promise.all(mentionUris.map((uri) => resolveMention(app, { note, addressed, uri })));
  for (const id of ids) if (id !== undefined) found.set(id, false);
  for (const id of addressed.values()) if (!found.has(id)) found.set(id, true);
  const { recipientId } = note;
  if (recipientId !== undefined && !found.has(recipientId) && !isPublicNote(note)) {
    // A post without addressees is for the owner of the inbox alone.
    found.set(recipientId, note.to.length + note.cc.length > 0);
  }
  return [...found].map(([accountId, silent]) => ({ accountId, silent }));
}

const isPublicNote = ({ to, cc }: Note): boolean => [...to, ...cc].some(isPublic);

/** Returns the local accounts that a post is addressed to, by the addresses of their id or page that it uses. */
async function findLocalAddressees(app: App, { to, cc }: Note): Promise<ReadonlyMap<string, AccountId>> {
  const uris = [...new Set([...to, ...cc])].filter((uri) => isLocalActorAddress(app, uri));
  const found = await Promise.all(uris.map((uri) => findAccountByAddress(app, uri)));
  return new Map(
    found.flatMap((account, at) => (account === undefined ? [] : [[uris[at] ?? '', account.id] as const])),
  );
}

interface MentionTag {
  readonly note: Note;
  /** Local accounts that the post is addressed to. */
  readonly addressed: ReadonlyMap<string, AccountId>;
  readonly uri: string;
}

/** Returns the account of a tag if the tag counts. Tags name accounts by id or by page. */
async function resolveMention(app: App, { note, addressed, uri }: MentionTag): Promise<AccountId | undefined> {
  const id = addressed.get(uri) ?? (await resolveAccount(app, uri));
  const isAddressed = (address: string) => note.to.includes(address) || note.cc.includes(address);
  if (id === undefined || [...addressed.values()].includes(id) || isAddressed(uri)) return id;
  const account = await findAccount(app, id);
  if (account === undefined) return undefined;
  return isAddressed(account.uri) || (account.domain !== null && isPublicNote(note)) ? id : undefined;
}
