import { chromium, type Browser } from 'playwright-core';
import { browsers, findProgram, headlessShell } from '../../bin/test-programs.mjs';

/** Why tests that need Chromium are skipped. */
export const noChromium = 'no Chromium: node bin/install-test-programs.mjs, or name the program in CHROMIUM';

/** Returns the whole browser to start, from CHROMIUM or PATH; undefined without one. */
export const findWholeChromium = (): string | undefined =>
  process.env['CHROMIUM'] ?? browsers.map(findProgram).find((program) => program !== undefined);

/** Returns the program to start, from CHROMIUM or PATH: the headless shell if there is one. Undefined without a browser. */
export const findChromium = (): string | undefined =>
  process.env['CHROMIUM'] ?? findProgram(headlessShell) ?? findWholeChromium();

const switches = [
  // The sandbox does not start as root, and the pages are those of the test.
  '--no-sandbox',
  '--disable-gpu',
  // Windows of one site share a process: to start one costs as much as to open a page.
  '--renderer-process-limit=1',
  // Chromium contacts nothing but this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

const running = new Map<string, Promise<Browser>>();

/** Returns the browser that all tests of this process share. It stops with the process. */
export function sharedBrowser(program = findChromium()): Promise<Browser> {
  if (program === undefined) throw new Error(noChromium);
  const browser = running.get(program) ?? chromium.launch({ args: switches, executablePath: program });
  running.set(program, browser);
  return browser;
}
