import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, ApplicationId, CollectionId, Id, RoleId, SessionId, UserId } from '../platform/ids.ts';
import type { ContentType } from '../text/format/index.ts';

export type Privacy = 'public' | 'unlisted' | 'private' | 'direct';
export type InviteId = Id<'invite'>;
export type IdentityId = Id<'identity'>;
export type QuotePolicy = 'public' | 'followers' | 'nobody';

/** Mails that staff get besides those to every user. */
export type StaffMailKind = 'appeals' | 'held_posts' | 'reports' | 'sign_ups' | 'trends';

/** What a provider reports about a person who signed in. */
export interface ProviderClaims {
  readonly subject: string;
  /** Normalised and valid. */
  readonly email?: string;
  readonly isEmailVerified: boolean;
  /** A suggestion: valid, but possibly taken. */
  readonly username?: string;
  readonly displayName?: string;
  /** Undefined: the provider named none. */
  readonly groups?: readonly string[];
  /** The session at the provider. */
  readonly sessionId?: string;
}

/** Preferences of a user. Absent ones have their default. */
export interface UserSettings {
  readonly default_privacy?: Privacy;
  readonly default_sensitive?: boolean;
  /** Whether new posts stay on this server. Default false. */
  readonly default_local_only?: boolean;
  readonly default_language?: string | null;
  readonly default_quote_policy?: QuotePolicy;
  /** Who may interact with new posts, by visibility, as `encodeInteractionPolicy` encodes it. Default: everyone. */
  readonly default_interaction_policies?: Readonly<Partial<Record<Privacy, number>>>;
  /** Content type of posts for which the app names none. */
  readonly default_content_type?: ContentType;
  readonly expand_media?: 'default' | 'show_all' | 'hide_all';
  readonly expand_spoilers?: boolean;
  readonly autoplay_gifs?: boolean;
  /** Whether posts show the app that created them. Default true. */
  readonly show_application?: boolean;
  /** Whether people without an account may subscribe to the posts by e-mail. Default false. */
  readonly email_subscriptions?: boolean;
  /** Mails to staff that this user does not get. Default none. */
  readonly staff_mails_off?: readonly StaffMailKind[];
}

export interface UserTables {
  roles: {
    id: RoleId;
    name: string;
    color: Generated<string>;
    position: number;
    /** Bit mask, as decimal text. */
    permissions: Generated<string>;
    highlighted: Generated<boolean>;
    collection_limit: Generated<number>;
    /** Users with this role can only set up a second factor until they have one. */
    require_two_factor: Generated<boolean>;
    /** From when on they must have one, the start of a day in UTC; null: at once. */
    require_two_factor_from: Generated<Date | null>;
    /** The start that the last mails to them announced. */
    two_factor_announced_from: Generated<Date | null>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  /** How far the mails about a version of the terms of service are. */
  terms_notices: { effective_date: Date; announced_at: Date; last_user_id: UserId };
  users: {
    id: UserId;
    account_id: AccountId;
    email: string;
    unconfirmed_email: string | null;
    /** argon2id in PHC form, or until the next sign-in bcrypt, as Mastodon stores it. */
    password_hash: string;
    role_id: Generated<RoleId>;
    confirmed_at: Date | null;
    confirmation_token_hash: Buffer | null;
    confirmation_sent_at: Date | null;
    reset_token_hash: Buffer | null;
    reset_sent_at: Date | null;
    approved: Generated<boolean>;
    disabled: Generated<boolean>;
    locale: Generated<string>;
    time_zone: string | null;
    sign_up_reason: string | null;
    sign_up_ip: string | null;
    created_by_application_id: ApplicationId | null;
    /** Whether staff asked for a proof of work at the sign-up and it had none. */
    lacks_proof_of_work: Generated<boolean>;
    /** The invite that the user signed up with. */
    invite_id: InviteId | null;
    /** Whether the user follows the accounts of the collection of the invite, once the sign-up is complete. */
    follows_collection: Generated<boolean>;
    has_second_factor: Generated<boolean>;
    /** The second factor could not be taken over from another software, and there is no new one. */
    lost_second_factor: Generated<boolean>;
    settings: JSONColumnType<UserSettings, string | undefined, string>;
    /** Last use of the API or the pages, to the day. */
    last_active_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  /** Active users by the day and by the day on which they were active before; -infinity: never. */
  active_user_counts: { day: string; previous_day: string; number: number };
  invites: {
    id: InviteId;
    code: string;
    /** The user who invites. */
    user_id: UserId;
    /** Null: any number. */
    max_uses: number | null;
    uses: Generated<number>;
    expires_at: Date | null;
    comment: string | null;
    /** Whether those who sign up with it follow the user. */
    autofollow: Generated<boolean>;
    /** A collection of the user that is recommended to those who sign up. */
    collection_id: CollectionId | null;
    created_at: Date;
  };
  sessions: {
    id: SessionId;
    user_id: UserId;
    token_hash: Buffer;
    user_agent: Generated<string>;
    ip: string | null;
    created_at: Date;
    last_used_at: Date;
    /** Of the provider with which it began. */
    issuer: string | null;
    /** The session at the provider. */
    issuer_session_id: string | null;
  };
  /** The addresses from which a user signed in or used a token. */
  user_ips: {
    user_id: UserId;
    ip: string;
    /** To the day. */
    used_at: Date;
  };
  user_totp: {
    user_id: UserId;
    secret: Buffer;
    /** Null until the first code was entered. */
    confirmed_at: Date | null;
    /** The time step of the last accepted code. */
    last_step: ColumnType<string, number | undefined, number>;
    created_at: Date;
  };
  /** `code_hash`: SHA-256, or the text of a bcrypt hash from Mastodon. */
  recovery_codes: { user_id: UserId; code_hash: Buffer; used_at: Date | null };
  pending_sign_ins: {
    token_hash: Buffer;
    user_id: UserId;
    failures: Generated<number>;
    expires_at: Date;
    /** As of the session that begins. */
    issuer: string | null;
    issuer_session_id: string | null;
  };
  /** Accounts at providers with which users sign in. */
  identities: {
    id: IdentityId;
    user_id: UserId;
    issuer: string;
    /** What the provider calls the person. */
    subject: string;
    /** The address that the provider named last. */
    email: string | null;
    /** The role that the user has because of a group at the provider. */
    granted_role_id: RoleId | null;
    created_at: Date;
    last_used_at: Date | null;
  };
  /** Links by which the command line signs users in, once. */
  sign_in_links: { token_hash: Buffer; user_id: UserId; expires_at: Date };
  /** Sign-ins at providers that have begun, and sign-ups of people who have signed in there. */
  provider_sign_ins: {
    token_hash: Buffer;
    /** Of the key of the browser, which alone may continue. */
    browser_hash: Buffer;
    provider: string;
    nonce: string;
    code_verifier: string;
    return_to: string | null;
    is_added: boolean;
    invite_code: string | null;
    /** The user who links the account; null: someone signs in. */
    user_id: UserId | null;
    claims: JSONColumnType<ProviderClaims | null, string | null, never>;
    expires_at: Date;
  };
  passkeys: {
    id: Id<'passkey'>;
    user_id: UserId;
    credential_id: Buffer;
    /** Handle of the user that the authenticator stored with another software; null: the id of the user. */
    user_handle: Buffer | null;
    /** COSE. */
    public_key: Buffer;
    /** As decimal text. */
    sign_count: ColumnType<string, number, never>;
    transports: string[];
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  /**
   * Challenges that were answered, each of which is accepted once: of passkeys, and proofs of work of sign-ups. It kept its
   * first name, so that two releases can share the database.
   */
  used_passkey_challenges: { challenge_hash: Buffer; expires_at: Date };
  /** Browsers and addresses from which users signed in. */
  sign_in_origins: { user_id: UserId; origin: string; last_used_at: Date };
  /** When staff were last mailed about kinds of things that they are not mailed about each time. */
  staff_mail_times: { kind: StaffMailKind; mailed_at: Date };
  /** What a web client stores for its user: JSON that the server does not read. */
  web_settings: {
    user_id: UserId;
    data: string;
    /** Raised by each change. */
    version: Generated<number>;
    updated_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<UserTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends UserTables {}
}
