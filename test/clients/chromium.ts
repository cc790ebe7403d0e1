import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Why tests that need Chromium are skipped. */
export const noChromium = 'no Chromium: install one as `chromium`, or name the program in CHROMIUM';

/** Returns the program to start, from CHROMIUM or PATH; undefined without one. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return process.env['CHROMIUM'] ?? programs.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

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
  const program = findChromium();
  browser ??= chromium.launch({ args: switches, ...(program !== undefined && { executablePath: program }) });
  return browser;
}
