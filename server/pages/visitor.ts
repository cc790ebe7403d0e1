import { createHmac } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { isEqualInConstantTime } from '../platform/equal-in-constant-time.ts';
import { cookieName, findSessionSecret, formatCookie, sessionCookie } from '../platform/http/cookies.ts';
import type { RequestContext } from '../platform/http/routes.ts';
import { chooseLocale, readerTag, type Locale } from '../platform/i18n/locales.ts';
import { translator, type Translator } from '../platform/i18n/translator.ts';
import { siteSettings } from '../site/index.ts';
import { findSession, newSecret, originTtlDays, type Session, type SignInOrigin } from '../users/sign-in/index.ts';
import { sessionTtlDays } from '../users/sessions/index.ts';
import { pendingSignInTtlMinutes } from '../users/second-factor/index.ts';
import { touchUser } from '../users/index.ts';
import { maskToken, unmaskToken } from './masked-token.ts';

const secondsPerDay = 86_400;

/** Browsers ignore cookies past 4096 bytes. */
const maxCookieLength = 4_096;

/**
 * The browser of a request: its session, the cookies of the response, and CSRF tokens. A token is bound to a secret in a
 * cookie of this browser: that of the session, or of an anonymous visit.
 */
export class Visitor {
  readonly app: App;
  readonly request: RequestContext;
  readonly session: Session | undefined;
  /** The texts in the language of the account, else of the browser, else of the site. */
  readonly t: Translator;
  /** The secret of the session; undefined without one. */
  readonly sessionSecret: string | undefined;
  /** Set-Cookie headers of the response, by the names of the cookies. */
  readonly #cookies = new Map<string, string>();
  #secret: string | undefined;
  #hasShownToken = false;
  #browser: string | undefined;

  /** `secret`: of the session. */
  constructor(
    app: App,
    request: RequestContext,
    {
      session,
      secret,
      defaultLanguage,
    }: { session?: Session; secret?: string; defaultLanguage?: Locale | undefined } = {},
  ) {
    this.app = app;
    this.request = request;
    this.session = session;
    const preferred = request.headers['accept-language']?.toString();
    this.t = translator(chooseLocale(readerTag(request.url, session?.locale), preferred, defaultLanguage));
    this.sessionSecret = session === undefined ? undefined : secret;
    this.#secret = secret ?? request.cookies[cookieName(app, visitCookie)];
  }

  /** Set-Cookie headers of the response. */
  get cookies(): string[] {
    return [...this.#cookies.values()];
  }

  /** The session of a user who may use the server; undefined while the account is unconfirmed, unapproved or disabled. */
  get activeSession(): Session | undefined {
    return this.session?.refusal === undefined ? this.session : undefined;
  }

  /** Returns a CSRF token for this browser and one purpose, which is different each time. */
  formToken(purpose = 'form'): string {
    this.#hasShownToken = true;
    this.#secret ??= this.#startVisit();
    return maskToken(sign(this.#secret, purpose));
  }

  /** Whether the response contains a CSRF token. */
  get hasShownToken(): boolean {
    return this.#hasShownToken;
  }

  /** Returns a key of this browser for one purpose, always the same. It must not be shown on a page. */
  browserKey(purpose: string): string {
    this.#secret ??= this.#startVisit();
    return sign(this.#secret, purpose).toString('base64url');
  }

  /** Whether a CSRF token was issued to this browser for this purpose. */
  isFormTokenValid(proof: string | undefined, purpose = 'form'): boolean {
    if (proof === undefined || this.#secret === undefined) return false;
    return isEqualInConstantTime(unmaskToken(proof), sign(this.#secret, purpose));
  }

  /** Whether a CSRF token was issued to this browser before the session began. */
  isFormTokenOfVisit(proof: string | undefined): boolean {
    const visit = this.request.cookies[cookieName(this.app, visitCookie)];
    if (proof === undefined || visit === undefined || this.session === undefined) return false;
    return isEqualInConstantTime(unmaskToken(proof), sign(visit, 'form'));
  }

  /** Whether the browser has the cookie of a session that ended. */
  get hasEndedSession(): boolean {
    return (
      this.session === undefined &&
      findSessionSecret(this.app, this.request.headers['cookie']?.toString()) !== undefined
    );
  }

  /** Returns where a sign-in comes from. A browser that was not signed in before gets a name, which `signIn` stores. */
  origin(): SignInOrigin {
    const { ip, headers, cookies } = this.request;
    this.#browser ??= cookies[cookieName(this.app, browserCookie)] || newSecret();
    const userAgent = String(headers['user-agent'] ?? '');
    return { ip, userAgent, browser: this.#browser, sessionId: this.session?.id };
  }

  /** Sets the cookies of the session and of the browser, by which it is recognised at the next sign-in. */
  signIn(secret: string): void {
    const { browser = '' } = this.origin();
    this.#setCookie(sessionCookie, secret, sessionTtlDays * secondsPerDay);
    this.#setCookie(browserCookie, browser, originTtlDays * secondsPerDay);
  }

  /** Sets the cookies of the sessions of this browser again, so that they last from now on. No-op without a session. */
  renewSession(): void {
    if (this.sessionSecret === undefined) return;
    this.#setCookie(sessionCookie, this.sessionSecret, sessionTtlDays * secondsPerDay);
    this.storeOtherSecrets(this.otherSecrets());
  }

  /** Stores the secret of a sign-in that waits for the second factor. */
  storePendingSignIn(secret: string): void {
    this.#setCookie(pendingCookie, secret, pendingSignInTtlMinutes * 60);
  }

  /** Returns the secret of the sign-in that waits for the second factor. */
  pendingSignIn(): string | undefined {
    return this.request.cookies[cookieName(this.app, pendingCookie)] || undefined;
  }

  deletePendingSignIn(): void {
    this.#setCookie(pendingCookie, '', 0);
  }

  signOut(): void {
    this.#setCookie(sessionCookie, '', 0);
  }

  get #accountsCookie(): string {
    return this.request.cookies[cookieName(this.app, accountsCookie)] ?? '';
  }

  /** Returns the secrets of the sessions in which the browser is signed in besides the active one, newest first. */
  otherSecrets(): string[] {
    return this.#accountsCookie.split('.').filter((secret) => /^[\w-]{43}$/.test(secret));
  }

  /** Stores such secrets. Without any, a browser that has none gets no cookie. */
  storeOtherSecrets(secrets: readonly string[]): void {
    if (secrets.length === 0 && this.#accountsCookie === '') return;
    this.#setCookie(accountsCookie, secrets.join('.'), secrets.length === 0 ? 0 : sessionTtlDays * secondsPerDay);
  }

  /** Stores where to continue after the e-mail address is confirmed. */
  storeReturnPath(returnTo: string): void {
    const cookie = formatCookie(this.app, returnCookie, { value: returnTo, seconds: 2 * secondsPerDay });
    if (cookie.length < maxCookieLength) this.#cookies.set(returnCookie, cookie);
  }

  /** Returns the stored path. It is not validated. */
  storedReturnPath(): string | undefined {
    const value = this.request.cookies[cookieName(this.app, returnCookie)];
    return value === '' ? undefined : value;
  }

  deleteReturnPath(): void {
    this.#setCookie(returnCookie, '', 0);
  }

  #startVisit(): string {
    const secret = newSecret();
    this.#setCookie(visitCookie, secret, secondsPerDay);
    return secret;
  }

  #setCookie(name: string, value: string, seconds: number): void {
    this.#cookies.set(name, formatCookie(this.app, name, { value, seconds }));
  }
}

const sign = (secret: string, purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest();

const visitCookie = 'visit';
const returnCookie = 'return';
const browserCookie = 'browser';
/** The secrets of the sessions of other accounts, separated by dots. */
const accountsCookie = 'accounts';
const pendingCookie = 'pending_sign_in';

/** Returns the visitor of a request, signed in if the session of the cookie is valid. */
export async function loadVisitor(app: App, request: RequestContext): Promise<Visitor> {
  const secret = findSessionSecret(app, request.headers['cookie']?.toString());
  const session = secret === undefined ? undefined : await findSession(app, secret);
  const { defaultLanguage } = await siteSettings(app);
  if (session === undefined || secret === undefined) return new Visitor(app, request, { defaultLanguage });
  touchUser(app, session);
  request.setLocale(session.locale);
  return new Visitor(app, request, { session, secret, defaultLanguage });
}

/** Returns whether one of our pages in this browser sent a form or request (CSRF). `proof`: its CSRF token. */
export const isOwnForm = (visitor: Visitor, proof: string | undefined): boolean =>
  visitor.request.headers['sec-fetch-site'] !== 'cross-site' && visitor.isFormTokenValid(proof);
