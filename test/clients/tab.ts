import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { sharedBrowser } from './chromium.ts';

/** A window of Chromium with a profile of its own, in which functions of the tests run. */
export class Tab {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  /** Opens a window. Disposing `stack` closes it. */
  static async open(stack: AsyncDisposableStack): Promise<Tab> {
    const context = await (await sharedBrowser()).newContext();
    stack.defer(() => context.close());
    const page = await context.newPage();
    return new Tab(page, await context.newCDPSession(page));
  }

  /** Runs a function in the page and returns its JSON. It can use nothing but its arguments and what the page offers. */
  async run<Args extends readonly unknown[], Result>(
    task: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return this.page.evaluate<Awaited<Result>>(`(${task.toString()})(...${JSON.stringify(args)})`);
  }

  /** Sends a command of the DevTools protocol and returns its result. */
  async command<Result = unknown>(method: Parameters<CDPSession['send']>[0], params?: object): Promise<Result> {
    return (await this.#session.send(method, params)) as Result;
  }

  /** Polls a condition in the page, also while the tab loads another page. */
  async waitUntil<Args extends readonly unknown[]>(
    condition: (...args: Args) => boolean,
    ...args: Args
  ): Promise<void> {
    await expect.poll(async () => this.run(condition, ...args).catch(() => false)).toBe(true);
  }
}
