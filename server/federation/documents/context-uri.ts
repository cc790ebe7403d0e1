import type { App } from '../../platform/app.ts';

/** Address of the collection of all posts of a conversation that began here. */
export const contextUri = (app: App, conversationId: string): string =>
  `${app.config.baseUrl}/contexts/${conversationId}`;
