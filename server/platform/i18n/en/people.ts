export const accounts = {
  instanceActor: 'The account of the server itself cannot be suspended',
  suspendedByDomainBlock: 'The account is suspended by the block of its domain',
  suspendedByOwnServer: 'The account is suspended by its own server',
} as const;

export const relationships = {
  blockSelf: 'You cannot block yourself',
  endorseUnfollowed: 'You can only endorse accounts that you follow',
  followMoved: 'This account has moved and cannot be followed',
  followOstatus: 'This account uses OStatus, an old protocol: it cannot be followed',
  followSelf: 'You cannot follow yourself',
  tooManyFollows: 'You cannot follow more than {max} accounts',
  tooManyRequested: 'At most {max} accounts can be requested at once',
} as const;

export const archives = {
  running: 'Your archive is being made already',
  tooSoon: 'You can request an archive once in 7 days. The next one is possible from {date}',
} as const;

export const imports = {
  empty: 'The file has no lines',
  notCsv: 'The file is not CSV from line {line} on',
  running: 'An import of this kind is running',
  tooLong: 'The file has more than {max} lines',
} as const;

export const lists = {
  accountNotFollowed: 'Account must be followed',
  accountTaken: 'Account has already been taken',
  tooManyLists: 'You have reached the maximum number of lists',
} as const;

export const collections = {
  accountTaken: 'Account has already been taken',
  missingAccountId: '`account_id` parameter is missing',
  notFeaturable: 'This account cannot be added to collections',
  tooMany: 'You have reached the maximum number of collections ({max})',
} as const;

export const notifications = {
  invalidExpandAccounts: "Invalid value for 'expand_accounts'",
} as const;

export const push = {
  added_to_collection: '{name} added you to a collection',
  'admin.report': '{name} filed a report',
  'admin.sign_up': '{name} signed up',
  annual_report: 'Your year in review is ready',
  collection_update: '{name} changed a collection that you are in',
  favourite: '{name} favourited your post',
  follow: '{name} followed you',
  follow_request: '{name} requested to follow you',
  mention: '{name} mentioned you',
  moderation_warning: 'You received a moderation warning',
  poll: 'A poll by {name} has ended',
  quote: '{name} quoted your post',
  quoted_update: '{name} edited a post that you quoted',
  reblog: '{name} boosted your post',
  severed_relationships: 'Some of your follows and followers are gone',
  status: '{name} posted',
  update: '{name} edited a post that you boosted',
} as const;

export const domains = {
  alreadyBlocked: 'This domain is blocked already, by the block of {domain}',
  listTooLong: 'The list has more than {max} lines',
  notCsv: 'The list is not CSV from line {line} on',
  unknownSeverity: 'Unknown severity: {severity}',
  knownList: 'This list is subscribed already: {url}',
  tooManyLists: 'You have reached the maximum number of lists ({max})',
  urlNotPublic: 'must be an https address on a public host and the usual port',
} as const;

export const streaming = {
  failedUnsubscribe: 'Error unsubscribing from channel',
  foreignList: 'Not authorized to stream this list',
  invalidToken: 'Invalid access token',
  missingList: 'Missing list name parameter',
  missingScope: 'Access token does not have the required scopes',
  missingTag: 'Missing tag name parameter',
  missingToken: 'Missing access token',
  tooManyConnections: 'Too many open connections',
  tooManyStreams: 'Too many streams on this connection',
  unknownPath: 'Unknown channel requested',
  unknownStream: 'Unknown stream type',
} as const;
