import type { App } from '../../platform/app.ts';

/** Returns the URI of the collection of all posts in a local conversation. */
export const contextUri = (app: App, conversationId: string): string =>
  `${app.config.baseUrl}/contexts/${conversationId}`;
