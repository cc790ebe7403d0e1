import type { Status } from '../api/entities.ts';

/** What a composer is opened for: the parameters of /publish. */
export interface ComposerStart {
  readonly inReplyTo?: string | undefined;
  readonly quote?: string | undefined;
  readonly text?: string | undefined;
  readonly visibility?: Status['visibility'] | undefined;
  readonly edit?: string | undefined;
  readonly draft?: string | undefined;
  /** Names the local copy of a scheduled or queued post that is written again. */
  readonly redraft?: string | undefined;
  /** Names what another app shared. */
  readonly shared?: string | undefined;
}

export interface ComposerProps {
  readonly start: ComposerStart;
  /** Called after it was posted, scheduled or discarded, with the page that shows it. */
  readonly onDone: (path?: string) => void;
  readonly hasFocus?: boolean;
  /** Whether the post that is replied to is shown beside it. */
  readonly isInThread?: boolean;
}
