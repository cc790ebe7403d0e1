export const moderation = {
  appeal: 'Appeal',
  appealApproved: 'The staff approved your appeal. The decision is undone.',
  appealApprovedDeleted:
    'The staff approved your appeal. The decision no longer counts. Deleted posts cannot be restored.',
  appealPending: 'You appealed this decision. The staff will answer by e-mail.',
  appealRejected: 'The staff rejected your appeal.',
  appealText: 'Why the decision is wrong',
  disabled: 'Your account was disabled',
  jobUnchangeable: 'The job is running, or it did not fail',
  noStrikes: 'There are none.',
  sensitized: 'All media of your account are shown as sensitive',
  silenced: 'Your account was limited',
  statusesDeleted: 'Posts of yours were deleted',
  statusesSensitized: 'Posts of yours were marked as sensitive',
  strikesTitle: 'Decisions of the staff about your account',
  suspended: 'Your account was suspended',
  warned: 'You got a warning',
  appealDecided: 'The appeal was decided before',
  appealedBefore: 'The decision was appealed before',
  appealTooLate: 'The decision can no longer be appealed: {days} days have passed',
  suspendFirst: 'Only accounts that the staff suspended can be deleted: suspend it first',
} as const;

export const heldPosts = {
  decided: 'It was decided before',
  tooMany: 'Too many of your posts wait for review',
  unpublishable:
    'The post can no longer be published: its author is suspended, or the post that it answers was deleted',
} as const;

export const moderationRules = {
  followRefused: 'A moderation rule of this server does not allow this follow',
  notBlurhash: 'must be BlurHashes, as in the attachments of a post',
  notForSubject: 'cannot be used for {subject} rules',
  onlyForPosts: 'can have {name} only in rules for posts',
  onlyPostsTried: 'Only rules for posts can be tried',
  trialRuns: 'Another trial of the rule is running',
  postRefused: 'A moderation rule of this server does not allow this post',
  signUpRefused: 'A moderation rule of this server does not allow this sign-up',
  tooMany: 'Too many moderation rules: at most {max}',
  tooManyCharacters: 'The keywords of all rules have too many characters: at most {max}',
  unknownCondition: 'is not a known condition',
} as const;

export const hosts = {
  paused: 'Deliveries to {domain} are paused: resume them first',
} as const;

export const relays = {
  domainBlocked: 'Posts are not exchanged with {domain}: remove its block first',
  known: 'This relay is in the list already: {url}',
  tooMany: 'You have reached the maximum number of relays ({max})',
  urlLocal: 'must not be an address of this server',
  urlNotPublic: 'must be an https address on a public host and the usual port',
} as const;

export const reports = {
  ownAccount: 'Target account must not be your own',
  unknownRules: 'Rule ids does not reference valid rules',
} as const;

export const measures = {
  archives: 'Archives of accounts',
  customEmojis: 'Custom emojis',
  mediaCache: 'Cache of remote media',
  profileImages: 'Avatars and headers',
  siteImages: 'Images of the site',
  valkey: 'Valkey',
  mediaStorage: 'Media storage',
  tooManyKeys: 'Keys are too many (maximum is {max})',
  unknownLanguage: 'Unknown language',
  website: 'Website',
} as const;

export const site = {
  alreadyAnnounced: 'Users have already been notified of this version',
  unknownLanguage: 'Unknown language code: {code}',
} as const;

export const webhooks = {
  badTemplate: 'has an invalid variable: {text}',
  disabled: 'The webhook is disabled: enable it first',
  missingPermission: 'The event {event} needs the permission {permission}',
  missingScope: 'The event {event} needs the scope {scope}',
  needsApp: 'Only apps can create webhooks: use an access token',
  tooMany: 'You have reached the maximum number of webhooks ({max})',
  tooManyVariables: 'must have at most {max} variables',
  urlLocal: 'must not be an address of this server',
  urlNotPublic: 'must be an https address on a public host and the usual port',
} as const;

export const invites = {
  invalid: 'This invite was used up or has expired',
  isInvalid: 'was used up or has expired',
  create: 'Create the invite',
  expiresAt: 'Expires: {date}.',
  expiresIn: 'Expires after',
  hint: 'With the link, people can sign up even while registrations are closed.',
  hintApproval:
    'With the link, people can sign up even while registrations are closed. The staff approve each sign-up.',
  maxUses: 'Number of people',
  never: 'Never',
  newTitle: 'New invite',
  none: 'You have no invites.',
  outOfRange: 'must be a whole number from 1 to {max}',
  revoke: 'Revoke',
  revokeOf: 'Revoke the invite {code}',
  title: 'Invites',
  tooMany: 'You have reached the maximum number of invites ({max})',
  unlimited: 'Unlimited',
  usedCount: { one: '{count} person has signed up.', other: '{count} people have signed up.' },
  usedOf: 'Used by {uses} of {max}.',
  uses: { one: '{count} person', other: '{count} people' },
} as const;

export const announcements = {
  allDayNeedsTimes: 'All day needs a start and an end',
  alreadyReacted: 'Name has already been taken',
  tooManyReactions: 'Limit of different reactions reached',
} as const;
