import { findAccount } from '../../accounts/find/index.ts';
import { instanceActorId } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { DeliveredNote, Note } from '../documents/parse-note.ts';
import { isPublic } from '../documents/values.ts';
import { localUsername } from '../local-addresses.ts';
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
  const mentionUris = [...new Set(note.mentions)].slice(0, 200);
  const ids = await Promise.all(mentionUris.slice(0, maxUnknownMentions).map((uri) => resolveMention(app, note, uri)));
  for (const id of ids) if (id !== undefined) found.set(id, false);
  for (const uri of [...note.to, ...note.cc]) {
    if (localUsername(app, uri) === undefined) continue;
    const id = await resolveAccount(app, uri);
    if (id !== undefined && !found.has(id)) found.set(id, !mentionUris.includes(uri));
  }
  const { recipientId } = note;
  if (recipientId !== undefined && recipientId !== instanceActorId && !found.has(recipientId) && !isPublicNote(note)) {
    // A post without addressees is for the owner of the inbox alone.
    found.set(recipientId, note.to.length + note.cc.length > 0);
  }
  return [...found].map(([accountId, silent]) => ({ accountId, silent }));
}

const isPublicNote = ({ to, cc }: Note): boolean => [...to, ...cc].some(isPublic);

/** Returns the account of a tag if the tag counts. Tags name accounts by id or by page. */
async function resolveMention(app: App, note: Note, uri: string): Promise<AccountId | undefined> {
  const id = await resolveAccount(app, uri);
  const isAddressed = (address: string) => note.to.includes(address) || note.cc.includes(address);
  if (id === undefined || isAddressed(uri)) return id;
  const account = await findAccount(app, id);
  if (account === undefined) return undefined;
  return isAddressed(account.uri) || (account.domain !== null && isPublicNote(note)) ? id : undefined;
}
