import { activateAccount, createLocalAccount, reattachAccount } from '../../accounts/lifecycle/index.ts';
import { recordMatches, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type ApplicationId, type RoleId, type UserId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { siteSettings, type SiteSettings, type Staff } from '../../site/index.ts';
import { countInviteUse, invalidInviteError } from '../invites/count-uses.ts';
import { findUsableInvite, type Invite } from '../invites/find-invites.ts';
import { needsApprovalByEmail, needsApprovalByIp } from './check-blocks.ts';
import { checkSignUp, emailTakenError, usernameTakenError } from './check-sign-up.ts';
import {
  checkProofOfWork,
  noProof,
  useSolvedChallenge,
  type ProofOfWork,
} from '../proof-of-work/sign-up-challenges.ts';
import { storeUserIp } from '../ips/record-user-ip.ts';
import { normalizeEmail } from './email-address.ts';
import { countSignUp } from '../touch-user.ts';
import { checkUsername } from '../username-blocks/find-username-blocks.ts';
import { isTimeZone } from '../settings/time-zone.ts';
import { sendConfirmation } from '../mails/mail-jobs.ts';
import { hashPassword, noPassword } from '../sign-in/passwords.ts';
import { screenSignUp, signUpText } from './screen-sign-up.ts';
import { deleteOwnerSecret } from './owner-secret.ts';
import { userCreated } from '../events.ts';
import { everyoneRoleId, standardRoles } from '../access/roles.ts';
import { writable } from '../tables.ts';
import { toError } from '../../platform/errors.ts';

/** A user to create. */
export interface NewUser {
  readonly username: string;
  readonly email: string;
  /** Absent: the user has none, and signs in with a provider. */
  readonly password?: string | undefined;
  /**
   * Whether the rules were accepted; false throws. Absent if the command line creates the user: blocks of e-mail and IP
   * addresses do not apply.
   */
  readonly agreement?: boolean | undefined;
  /** Reason for joining. Required if `approved` is absent and staff approve each sign-up. */
  readonly reason?: string | null | undefined;
  /** Code of a language. Default: the default language of the site. */
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
  /** The e-mail address needs no confirmation: no mail is sent. Default false. */
  readonly confirmed?: boolean;
  /** Default: false if staff approve each sign-up and the invite does not skip that, otherwise true. */
  readonly approved?: boolean;
  /** Who may sign up with the provider of the user. Default: that of the site. */
  readonly registrations?: SiteSettings['registrations'] | undefined;
  /** Default: the role of every user. */
  readonly roleId?: RoleId;
  /** The app that the user signed up with. */
  readonly applicationId?: ApplicationId | undefined;
  readonly ip?: string | undefined;
  /** The solution of a challenge. Without one, staff decide about the sign-up while they ask for it. */
  readonly proofOfWork?: string | undefined;
  /** The invite of the sign-up. One that is not usable counts as none, or throws while registrations are closed. */
  readonly inviteCode?: string | undefined;
  /** Whether the user follows the accounts of the collection of the invite. Default false. */
  readonly followsCollection?: boolean | undefined;
  /** Staff that create the user, for the audit log. Absent for a sign-up. */
  readonly createdBy?: Staff | undefined;
  /** Allows reserved and blocked usernames. */
  readonly allowReserved?: boolean;
  readonly displayName?: string;
  /** The deleted account with this username, which the user gets in place of a new one. */
  readonly deletedAccountId?: AccountId | undefined;
}

export interface CreatedUser {
  readonly userId: UserId;
  readonly accountId: AccountId;
}

/**
 * Creates a user with an account and queues the confirmation mail. The account is invisible until the user is confirmed
 * and approved. Throws 422 with every invalid field (`details`, `ERR_` codes) or if a moderation rule refuses it, 403
 * if the IP address is blocked.
 */
export async function createUser(app: App, user: NewUser): Promise<CreatedUser> {
  const prepared = await prepareUser(app, user);
  return transaction(app, (tx) => insertUser(tx, app, prepared)).catch(rethrowTakenError);
}

/** A valid user with a hashed password. */
export interface PreparedUser extends Omit<NewUser, 'proofOfWork'> {
  readonly approved: boolean;
  readonly locale: string;
  readonly passwordHash: string;
  readonly invite: Invite | undefined;
  /** What the moderation rules decided. */
  readonly verdict: Verdict | undefined;
  /** It waits for approval only because of a moderation rule. */
  readonly isHeldByRule: boolean;
  readonly proofOfWork: ProofOfWork;
}

/** Checks the user and hashes the password. Slow, so it runs outside of a transaction. */
export async function prepareUser(app: App, user: NewUser): Promise<PreparedUser> {
  const [{ registrations: ofSite, defaultLanguage }, invite] = await Promise.all([
    siteSettings(app),
    findUsableInvite(app, user.inviteCode),
  ]);
  const registrations = user.registrations ?? ofSite;
  // Another sign-up may have used up the invite since the route checked it.
  if (registrations === 'closed' && invite === undefined && user.inviteCode !== undefined) throw invalidInviteError();
  const isByPerson = user.agreement !== undefined;
  const isIpHeld = isByPerson && (await needsApprovalByIp(app, user.ip));
  const isOpen = user.approved ?? needsNoApproval(registrations, invite);
  const email = normalizeEmail(user.email);
  const errors = await checkSignUp(app, {
    ...user,
    email,
    mayBeTaken: user.deletedAccountId !== undefined,
    needsReason: !isOpen && user.approved === undefined && invite === undefined,
  });
  const proofOfWork = await proofOfSignUp(app, user, invite);
  errors.push(...proofOfWork.errors);
  if (errors.length > 0) throw invalidFieldsError(errors);
  const isEmailHeld = isByPerson && (await needsApprovalByEmail(app, email, user.ip));
  const isNameHeld = isByPerson && (await checkUsername(app, user.username)) === 'needs_approval';
  const verdict = isByPerson ? await screenSignUp(app, { ...user, email }) : undefined;
  const isHeld = [isIpHeld, isEmailHeld, isNameHeld, proofOfWork.isMissing].includes(true);
  const isPermitted = user.approved ?? (isOpen && !isHeld);
  const isHeldByRule = isPermitted && verdict?.actions.has('hold') === true;
  const approved = isPermitted && !isHeldByRule;
  const passwordHash = user.password === undefined ? noPassword : await hashPassword(user.password);
  return {
    ...user,
    email,
    approved,
    invite,
    locale: user.locale ?? defaultLanguage,
    passwordHash,
    verdict,
    isHeldByRule,
    proofOfWork,
  };
}

/**
 * Checks the proof of work of a stranger. People with an invite, or with an account at a provider, which takes the place of
 * a password, need none.
 */
async function proofOfSignUp(app: App, user: NewUser, invite: Invite | undefined): Promise<ProofOfWork> {
  const { agreement, approved, password, proofOfWork } = user;
  const isStranger = invite === undefined && password !== undefined;
  const isNeeded = isStranger && agreement !== undefined && approved === undefined;
  return isNeeded ? checkProofOfWork(app, proofOfWork) : noProof;
}

/** While registrations are not open, staff also decide about invited people, unless the invite skips that. */
function needsNoApproval(registrations: SiteSettings['registrations'], invite: Invite | undefined): boolean {
  if (invite === undefined) return registrations !== 'approval';
  return invite.bypassesApproval || registrations === 'open';
}

/** Stores a prepared user. */
export async function insertUser(tx: Transaction, app: App, user: PreparedUser): Promise<CreatedUser> {
  const now = app.clock.now();
  const { username, confirmed = false, approved, invite, roleId = everyoneRoleId, proofOfWork } = user;
  if (proofOfWork.solved !== undefined) await useSolvedChallenge(tx, proofOfWork.solved);
  if (invite !== undefined) await countInviteUse(tx, app, invite.id);
  const accountId = await prepareAccount(tx, app, user);
  const userId = newId<'user'>(now);
  if (roleId === standardRoles.owner) await deleteOwnerSecret(tx);
  await writable(tx.db)
    .insertInto('users')
    .values({
      id: userId,
      account_id: accountId,
      email: user.email,
      password_hash: user.passwordHash,
      role_id: roleId,
      confirmed_at: confirmed ? now : null,
      approved,
      locale: user.locale,
      time_zone: isTimeZone(user.timeZone) ? user.timeZone : null,
      sign_up_reason: user.reason?.trim() || null,
      sign_up_ip: user.ip ?? null,
      created_by_application_id: user.applicationId ?? null,
      lacks_proof_of_work: proofOfWork.isMissing,
      invite_id: invite?.id ?? null,
      follows_collection: user.followsCollection,
      last_active_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await countSignUp(tx, now);
  tx.emit(userCreated({ userId, accountId }));
  await recordSignUpMatches(tx, app, user, { userId, accountId });
  if (user.ip !== undefined) await storeUserIp(tx, app, { userId, ip: user.ip });
  if (confirmed && approved) await activateAccount(tx, app, accountId);
  if (!confirmed) tx.enqueue(sendConfirmation({ userId }));
  if (user.createdBy !== undefined) {
    recordStaffAction(tx, user.createdBy, {
      target: 'user',
      verb: 'create',
      id: accountId,
      label: username,
      after: { role: await loadRoleName(tx, roleId), confirmed, approved },
    });
  }
  return { userId, accountId };
}

/** Returns the account of a new user: a new one, or the deleted one that was chosen. It is invisible until it is activated. */
async function prepareAccount(
  tx: Transaction,
  app: App,
  { username, displayName, deletedAccountId }: PreparedUser,
): Promise<AccountId> {
  if (deletedAccountId !== undefined) {
    await reattachAccount(tx, app, deletedAccountId);
    return deletedAccountId;
  }
  return createLocalAccount(tx, app, {
    username,
    activated: false,
    ...(displayName !== undefined && { displayName }),
  });
}

async function loadRoleName({ db }: Transaction, id: RoleId): Promise<string> {
  if (id === everyoneRoleId) return 'user';
  return (await db.selectFrom('roles').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name;
}

async function recordSignUpMatches(
  tx: Transaction,
  app: App,
  user: PreparedUser,
  { userId, accountId }: CreatedUser,
): Promise<void> {
  if (user.verdict === undefined) return;
  await recordMatches(tx, app, user.verdict, {
    type: 'user',
    id: userId,
    accountId,
    text: signUpText(user),
    effects: user.isHeldByRule ? { held: true } : {},
  });
}

/** Maps a violation of the unique index, when two sign-ups race for a name, to the error of the check. */
export function rethrowTakenError(error: unknown): never {
  const constraint = toError(error).constraint ?? '';
  if (constraint === 'users_email') throw invalidFieldsError([emailTakenError]);
  if (['accounts_handle', 'accounts_uri_key'].includes(constraint)) throw invalidFieldsError([usernameTakenError]);
  throw error;
}
