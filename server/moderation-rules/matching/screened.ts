import type { AccountId } from '../../platform/ids.ts';
import type { RuleSubjectKind } from '../tables.ts';

/** A link in a post. */
export interface ScreenedLink {
  readonly host: string;
  /** Marked as a mention or hashtag, which the author of a remote post may do with any link. */
  readonly isMarked: boolean;
}

/** What rules look at. The functions are called at most once, and only if a rule asks for their result. */
export interface Screened {
  readonly subject: RuleSubjectKind;
  readonly local: boolean;
  /** Undefined: a sign-up, which has no account yet. */
  readonly accountId: AccountId | undefined;
  /** Domain of a remote account, or of the e-mail address of a sign-up. */
  readonly domain: string | null;
  readonly language: string | null;
  /** Texts that belong together, such as the content warning and the content. */
  readonly texts: () => Promise<readonly string[]>;
  /** Of a post. */
  readonly links?: () => readonly ScreenedLink[];
  /** Of a post: the BlurHashes of its attachments. */
  readonly mediaHashes?: () => Promise<readonly string[]>;
  /** Of a post: counts the mentioned accounts that do not follow the author, without the one that is answered. */
  readonly countStrangers?: () => Promise<number>;
  /** Counts earlier ones of the account, or sign-ups from the IP address, since a time, up to a maximum. */
  readonly countSince: (since: Date, max: number) => Promise<number>;
}
