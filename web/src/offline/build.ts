/** The build of the client that the service worker belongs to. bin/build-web.mjs sets it. */
export interface Build {
  /** Changes with the files of the build. */
  readonly version: string;
  /** Path of the script that starts the client. */
  readonly script: string;
  /** Paths of the files that home needs, and of the smallest texts. */
  readonly files: readonly string[];
}

declare const CLIENT_BUILD: Build;

export const build: Build = CLIENT_BUILD;
