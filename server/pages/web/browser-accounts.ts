import type { AccountId } from '../../platform/ids.ts';
import { deleteSessions, findSessions, type Session } from '../../users/sign-in/index.ts';
import type { Visitor } from '../visitor.ts';

/** Accounts besides the active one in which a browser may be signed in. */
const maxOtherAccounts = 10;

/** A session of this browser. */
interface OwnSession {
  readonly session: Session;
  /** The secret of its cookie. */
  readonly secret: string;
}

/** Returns the sessions of this browser besides the active one, newest first. Dead ones are left out of its cookie. */
export async function loadOtherSessions(visitor: Visitor): Promise<OwnSession[]> {
  const secrets = visitor.otherSecrets();
  if (secrets.length === 0) return [];
  const others = [...(await findSessions(visitor.app, secrets))]
    .map(([secret, session]) => ({ secret, session }))
    .filter(({ session }) => session.accountId !== visitor.session?.accountId);
  if (others.length < secrets.length) storeOthers(visitor, others);
  return others;
}

function activeSession({ session, sessionSecret: secret }: Visitor): OwnSession | undefined {
  return session === undefined || secret === undefined ? undefined : { session, secret };
}

const storeOthers = (visitor: Visitor, others: readonly OwnSession[]): void =>
  visitor.storeOtherSecrets(others.map(({ secret }) => secret));

/**
 * Signs the browser in with a new session. `keepsPrevious`: the account that was active stays signed in beside it; else its
 * session ends (against session fixation). An older session of the same account is replaced.
 */
export async function startActiveSession(
  visitor: Visitor,
  secret: string,
  { keepsPrevious }: { readonly keepsPrevious: boolean },
): Promise<void> {
  const { app, session: previous } = visitor;
  const others = await loadOtherSessions(visitor);
  const active = activeSession(visitor);
  const all = active === undefined ? others : [active, ...others];
  const started = (await findSessions(app, [secret])).get(secret);
  const kept = all
    .filter(({ session }) => session.accountId !== started?.accountId)
    .filter(({ session }) => keepsPrevious || session !== previous)
    .slice(0, maxOtherAccounts);
  const ended = all.filter((each) => !kept.includes(each));
  await deleteSessions(
    app,
    ended.map(({ session }) => session.id),
  );
  storeOthers(visitor, kept);
  visitor.signIn(secret);
}

/** Makes another account of this browser the active one. Returns false if the browser is not signed in to it. */
export async function switchAccount(visitor: Visitor, accountId: AccountId): Promise<boolean> {
  const active = activeSession(visitor);
  if (active?.session.accountId === accountId) return true;
  const others = await loadOtherSessions(visitor);
  const next = others.find((other) => other.session.accountId === accountId);
  if (next === undefined) return false;
  storeOthers(visitor, [...(active === undefined ? [] : [active]), ...others.filter((other) => other !== next)]);
  visitor.signIn(next.secret);
  return true;
}

/**
 * Signs the browser out of an account, by default the active one; then the account used before it becomes active. Returns
 * the active account, null if there is none left, and undefined if the browser is not signed in to the account.
 */
export async function signOutOf(visitor: Visitor, accountId?: AccountId): Promise<AccountId | null | undefined> {
  const { app, session } = visitor;
  const others = await loadOtherSessions(visitor);
  if (session !== undefined && accountId !== undefined && accountId !== session.accountId) {
    const ended = others.find((other) => other.session.accountId === accountId);
    if (ended === undefined) return undefined;
    await deleteSessions(app, [ended.session.id]);
    storeOthers(
      visitor,
      others.filter((other) => other !== ended),
    );
    return session.accountId;
  }
  if (session !== undefined) await deleteSessions(app, [session.id]);
  const [next, ...rest] = others;
  if (next === undefined) visitor.signOut();
  else visitor.signIn(next.secret);
  storeOthers(visitor, rest);
  return next?.session.accountId ?? null;
}

/** Returns the page after a sign-out: of a provider with which the session began, else the start page. */
export function signedOutPath({ app, session }: Visitor): string {
  const provider = app.config.signInProviders.find(({ issuer }) => issuer === session?.issuer);
  return provider === undefined ? '/' : `/auth/providers/${provider.name}/signed_out`;
}
