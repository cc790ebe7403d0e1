import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App } from '../platform/app.ts';
import type { RequestContext } from '../platform/http/routes.ts';
import { findSession, newSecret, type Session, sessionTtlDays, touchUser } from '../users/index.ts';

const secondsPerDay = 86_400;

/**
 * The browser behind a request: who is signed in there, the cookies that go with the answer, and the proof that a form
 * was one of ours. Every proof is bound to a secret that only this browser's cookie holds: that of the session, or that
 * of an anonymous visit.
 */
export class Visitor {
  readonly app: App;
  readonly request: RequestContext;
  readonly session: Session | undefined;
  /** Values of Set-Cookie headers for the answer. */
  readonly cookies: string[] = [];
  #secret: string | undefined;

  constructor(app: App, request: RequestContext, signedIn?: { session: Session; secret: string }) {
    this.app = app;
    this.request = request;
    this.session = signedIn?.session;
    this.#secret = signedIn?.secret ?? request.cookies[cookieName(app, visitCookie)];
  }

  /** The session of somebody who may use the server; undefined while the account waits or is disabled. */
  get activeSession(): Session | undefined {
    return this.session?.refusal === undefined ? this.session : undefined;
  }

  /** A value for a hidden field that `holds` knows again in this browser only, for the same purpose only. */
  formToken(purpose = 'form'): string {
    this.#secret ??= this.#startVisit();
    return createHmac('sha256', this.#secret).update(purpose).digest('base64url');
  }

  /** Says whether a proof was given to this browser for this purpose. */
  isFormTokenValid(proof: string | undefined, purpose = 'form'): boolean {
    if (proof === undefined || this.#secret === undefined) return false;
    const expected = Buffer.from(this.formToken(purpose));
    const given = Buffer.from(proof);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /** Signs this browser in by a new session's secret, whatever its cookies were before. */
  signIn(secret: string): void {
    this.cookies.push(
      formatCookie(this.app, sessionCookie, { value: secret, seconds: sessionTtlDays * secondsPerDay }),
    );
  }

  signOut(): void {
    this.cookies.push(formatCookie(this.app, sessionCookie, { value: '', seconds: 0 }));
  }

  /** Keeps where somebody wanted to go while they look for the mail that confirms their address. */
  storeReturnPath(returnTo: string): void {
    const value = encodeURIComponent(returnTo);
    if (value.length < 3_000)
      this.cookies.push(formatCookie(this.app, returnCookie, { value, seconds: 2 * secondsPerDay }));
  }

  /** Where they wanted to go; check it before it is used. */
  storedReturnPath(): string | undefined {
    const value = this.request.cookies[cookieName(this.app, returnCookie)];
    return value === undefined || value === '' ? undefined : tryDecode(value);
  }

  deleteReturnPath(): void {
    this.cookies.push(formatCookie(this.app, returnCookie, { value: '', seconds: 0 }));
  }

  #startVisit(): string {
    const secret = newSecret();
    this.cookies.push(formatCookie(this.app, visitCookie, { value: secret, seconds: secondsPerDay }));
    return secret;
  }
}

const sessionCookie = 'session';
const visitCookie = 'visit';
const returnCookie = 'return';

/** The visitor of a request: signed in when the cookie's session is still good. */
export async function loadVisitor(app: App, request: RequestContext): Promise<Visitor> {
  const secret = request.cookies[cookieName(app, sessionCookie)];
  const session = secret === undefined || secret === '' ? undefined : await findSession(app, secret);
  if (session === undefined || secret === undefined) return new Visitor(app, request);
  touchUser(app, session);
  return new Visitor(app, request, { session, secret });
}

const isHttps = (app: App): boolean => app.config.baseUrl.startsWith('https:');

// The prefix makes browsers refuse such a cookie from a neighbouring domain or without TLS.
function cookieName(app: App, name: string): string {
  return isHttps(app) ? `__Host-${name}` : name;
}

function formatCookie(app: App, name: string, { value, seconds }: { value: string; seconds: number }): string {
  const secure = isHttps(app) ? '; Secure' : '';
  return `${cookieName(app, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function tryDecode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
