import { chromium, type Browser } from 'playwright-core';
import { findChromium, noChromium } from '../clients/chromium.ts';

const program = findChromium();

/** Why the tests of the web client are skipped; undefined if they can run. In CI a missing browser is an error. */
export const skipReason = program === undefined ? noChromium : undefined;
if (skipReason !== undefined && process.env['CI'] !== undefined) throw new Error(skipReason);

const switches = [
  // The sandbox does not start as root, and the pages are those of the test.
  '--no-sandbox',
  '--disable-gpu',
  // Chromium contacts nothing but this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

let browser: Promise<Browser> | undefined;

/** Returns the browser that all tests of this process share. It stops with the process. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ args: switches, ...(program !== undefined && { executablePath: program }) });
  return browser;
}
