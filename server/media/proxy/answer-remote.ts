import type { App } from '../../platform/app.ts';
import { redirect, type Answer } from '../../platform/http/answers.ts';
import { notFound } from '../../platform/http/problems.ts';
import type { RequestFacts } from '../../platform/http/routes.ts';
import { answerFile } from '../answer-file.ts';
import { cachedFiles, findRemote } from './fetch-remote.ts';

/** A remote file that the client may have. */
export interface RemoteFile {
  readonly url: string;
  /** Whether it is fetched if it is not in the cache. */
  readonly mayFetch: boolean;
  /** Whether shared caches may keep it. */
  readonly isPublic: boolean;
}

/** Seconds; another file may take the place of the first at its address. */
const maxAge = 86_400;

/** The file if it is in the cache or may be fetched; otherwise a redirect to its own server. */
export async function answerRemote(
  app: App,
  { url, mayFetch, isPublic }: RemoteFile,
  request: RequestFacts,
): Promise<Answer> {
  const found = await findRemote(app, url, { mayFetch, signal: request.signal });
  if (found === 'refused') throw notFound();
  if (found === 'elsewhere') return redirect(url);
  return answerFile(cachedFiles(app), found.key, request, `${isPublic ? 'public' : 'private'}, max-age=${maxAge}`);
}
