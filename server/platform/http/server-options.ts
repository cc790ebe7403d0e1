import type { App } from '../app.ts';
import type { Message } from '../i18n/message.ts';
import type { AccessRules } from './authorize.ts';
import type { HttpResponse } from './http-response.ts';
import type { RequestContext, Route } from './routes.ts';

/** The parts that higher domains provide: routes, error page and access rules. */
export interface ServerOptions extends AccessRules {
  readonly routes: readonly Route[];
  /** Returns the error page for browsers, with its headers; for paths outside the API. */
  readonly errorPage?: (
    app: App,
    request: RequestContext,
    problem: { status: number; text: Message },
  ) => Promise<HttpResponse>;
  /** Whether an IP address is blocked: only callers who pass blocks are answered. Not called for routes that ignore blocks. */
  readonly isAccessDenied?: (app: App, ip: string) => boolean | Promise<boolean>;
  /** Closes the connections that routes took over. Called once, when the server starts to stop. */
  readonly closeTakenOver?: (app: App) => Promise<void>;
}
