import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { HttpResponse } from '../../platform/http/http-response.ts';

/** A script of a page; `version` changes with its content. */
export interface PageScript {
  readonly path: string;
  readonly version: string;
  readonly text: Buffer;
}

/** Reads the script that is served at `path` from a file. */
export function readPageScript(path: string, file: URL): PageScript {
  const text = readFileSync(file);
  return { path, version: createHash('sha256').update(text).digest('base64url').slice(0, 12), text };
}

/** Returns the options of the route that serves a script. */
export const servePageScript = ({ text }: PageScript) =>
  ({
    access: 'page',
    // For the page to sign in.
    ignoresBlocks: true,
    undocumented: true,
    rateLimit: 'none',
    response: Type.Any(),
    handle: () =>
      new HttpResponse({
        text,
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=86400',
          'x-content-type-options': 'nosniff',
        },
      }),
  }) as const;
