import type { RemotePoll } from '../../../polls/index.ts';
import type { ImportedStatus } from '../../../statuses/imported/index.ts';

/** A post of an archive, whatever its format, as JSON. */
export interface ArchivedPost {
  /** ActivityPub id of the original. */
  readonly uri: string;
  /** Its web page. */
  readonly url: string;
  /** ISO 8601. */
  readonly publishedAt: string;
  readonly editedAt: string | null;
  /** Not yet sanitised. */
  readonly html: string;
  readonly spoilerText: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly visibility: ImportedStatus['visibility'];
  /** ActivityPub id of the post that it answers. */
  readonly inReplyTo: string | null;
  /** Without `#`. */
  readonly tags: readonly string[];
  readonly files: readonly ArchivedFile[];
  readonly poll: Omit<RemotePoll, 'expiresAt'> | null;
  /** When the poll ended, ISO 8601. */
  readonly pollEndedAt: string | null;
}

/** A file of a post. */
export interface ArchivedFile {
  /** Where it is in the archive, or an address that the archive does not contain. */
  readonly path: string;
  readonly description: string;
  /** `x,y`, as clients send it. */
  readonly focus: string | null;
}

/** An item of an archive that is no post: a boost, or something that cannot be imported. */
export type OtherItem = 'boost' | 'invalid';

/** Characters of the HTML of a post; longer ones are invalid. */
export const maxHtmlLength = 500_000;
/** Characters of an ActivityPub id or a web page. */
const maxUriLength = 1_024;
/** Nobody posted before; a wrong clock did. */
const firstDate = new Date('2006-01-01T00:00:00Z');
const maxTags = 100;
const maxFiles = 16;

/** Returns the post without what exceeds the limits of lists; `invalid` if it has no usable address, date or content. */
export function checkPost(post: ArchivedPost, now: Date): ArchivedPost | 'invalid' {
  const published = new Date(post.publishedAt);
  if (!(published >= firstDate && published <= now)) return 'invalid';
  if (post.uri.length > maxUriLength || post.url.length > maxUriLength || post.html.length > maxHtmlLength)
    return 'invalid';
  if (post.html === '' && post.spoilerText === '' && post.files.length === 0 && post.poll === null) return 'invalid';
  const edited = post.editedAt === null ? undefined : new Date(post.editedAt);
  return {
    ...post,
    publishedAt: published.toISOString(),
    editedAt: edited !== undefined && edited > published && edited <= now ? edited.toISOString() : null,
    tags: post.tags.slice(0, maxTags),
    files: post.files.slice(0, maxFiles),
  };
}
