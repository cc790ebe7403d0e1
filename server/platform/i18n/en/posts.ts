export const statuses = {
  boostPrivate: 'Reblog of a private post is not possible',
  editBoost: 'A reblog cannot be edited',
  editPending: 'A reply that waits for approval cannot be edited',
  favouriteNotPermitted: 'The author of this post does not permit you to favourite it',
  noConversation: 'The post belongs to no conversation',
  nothingToQuote: 'There is no such post to quote',
  pinBoost: 'A reblog cannot be pinned',
  pinDirect: 'Posts that are only visible to mentioned users cannot be pinned',
  pinForeign: "Someone else's post cannot be pinned",
  pollNeedsSignIn: 'This poll is not public: sign in to see it',
  quoteBoost: 'A reblog cannot be quoted',
  quoteUnmentioned: 'A direct post can only quote accounts that it mentions',
  reactionNotPermitted: 'The author of this post does not permit you to react to it',
  reblogNotPermitted: 'The author of this post does not permit you to reblog it',
  replyNotPermitted: 'is a post whose author does not permit you to reply',
  scheduledTooSoon: 'Scheduled at must be at least five minutes ahead',
  textTooLong: 'Text character limit of {max} exceeded',
  threadNeedsApproval: 'is a post whose author approves replies: reply with a single post',
  tooManyIds: 'Too many ids: at most {max}',
  tooManyPins: 'You have already pinned the maximum number of posts',
  tooManyReactions: 'There are already {max} reactions',
  tooManyScheduled: 'At most {max} posts may be scheduled',
  tooManyScheduledPerDay: 'At most {max} posts may be scheduled for one day',
  unexpectedAccounts: 'Post would be sent to unexpected accounts',
} as const;

export const threads = {
  atMost: 'may have at most {max} items',
  fieldProblem: '{field}: {problem}',
  notSchedulable: 'is not supported for threads; schedule single posts with POST /api/v1/statuses',
} as const;

export const drafts = {
  changed: 'The draft was changed in the meantime: load it again',
  filesUnavailable: 'name a file that does not exist, is not yours or is already used by another post or draft',
  pollTooLong: 'may have at most {maxOptions} options of at most {maxLength} characters each',
  tooManyDrafts: 'You have reached the maximum of {max} drafts',
  tooManyFiles: 'You have reached the maximum of {max} files in drafts',
} as const;

export const bookmarks = {
  notBookmarked: 'name a post that is not bookmarked',
  searchTooLong: 'is too long (maximum is {max} characters and {maxWords} words)',
  tooManyFolders: 'You have reached the maximum of {max} bookmark folders',
} as const;

export const polls = {
  alreadyVoted: 'You have already voted on this poll',
  duplicateOptions: 'Options contain duplicate items',
  ended: 'The poll has already ended',
  optionTooLong: "Options can't be longer than {max} characters each",
  ownPoll: "You can't vote in your own polls",
  tooFewOptions: 'Options must have more than one item',
  tooManyOptions: "Options can't contain more than {max} items",
  unknownChoice: 'The chosen vote option does not exist',
} as const;

export const media = {
  attachmentFailed: 'Cannot attach files that could not be processed',
  attachmentInUse: 'Media attachment is currently used by a status',
  attachmentNotReady: 'Cannot attach files that have not finished processing. Try again in a moment!',
  attachmentUnavailable: 'Media IDs name a file that does not exist, is not yours or is already used by another post',
  animationNotConvertible: 'Animated images of this kind or length cannot be converted by this server',
  animationTooLarge: '{width}x{height} animated images are not supported',
  audioNotConvertible: 'This server cannot convert audio of this type',
  busy: 'Too many files are being processed; try again in a few seconds',
  fileTooLarge: 'Validation failed: File must be smaller than 16 MB',
  gifNotConvertible: 'GIF files of so many frames cannot be converted by this server',
  gifTooLarge: '{width}x{height} GIF files are not supported',
  heicUnsupported: 'HEIC images cannot be read by this server',
  imageTooLarge: '{width}x{height} images are not supported',
  mixedAttachments: 'A video or audio file cannot be attached together with other files',
  processingFailed: 'Error processing thumbnail for uploaded media',
  rangeNotSatisfiable: 'The range is not satisfiable',
  sourceGone: 'its source is gone',
  thumbnailTooLarge: 'Validation failed: Thumbnail must be smaller than 16 MB',
  tooLong: 'Files of more than 4 hours are not supported',
  tooManyAttachments: 'Cannot attach more than {max} files',
  unverifiedType: 'File type of uploaded media could not be verified',
  videoFrameRate: 'Videos of {rate} frames a second are not supported',
  videoNotConvertible: 'Videos of this kind cannot be converted by this server',
  videoTooLarge: '{width}x{height} videos are not supported',
  videoTooManyFrames: 'Videos of more than {max} frames are not supported',
} as const;

export const emojis = {
  exists: 'There is already an emoji :{shortcode}:',
  invalidShortcode: 'Shortcode must be 2 to 128 letters, digits or underscores',
  notLocal: 'Only local emojis can be changed',
  notRemote: 'Only remote emojis can be copied',
  tooMany: 'Too many emojis at once: at most {max}',
  unknown: 'There is no emoji :{shortcode}:',
} as const;

export const hashtags = {
  tooManyFeatured: 'You have already featured the maximum number of hashtags',
} as const;

export const filters = {
  severalKeywords:
    'These parameters apply to more than one filter keyword and cannot be changed with this version of the API',
  statusTaken: 'Status has already been taken',
  tooManyCharacters: 'You have reached the maximum number of characters in filter keywords ({max})',
  tooManyFilters: 'You have reached the maximum number of filters ({max})',
  tooManyKeywords: 'You have reached the maximum number of filter keywords ({max})',
  tooManyStatuses: 'You have reached the maximum number of filtered posts ({max})',
} as const;

export const search = {
  busy: 'Too many searches are running; try again in a few seconds',
  pagingNeedsSignIn: 'Search queries pagination is not supported without authentication',
  positivePaging: 'Pagination values for `offset` and `limit` must be positive',
  resolvingNeedsSignIn: 'Search queries that resolve remote resources are not supported without authentication',
  tooSlow: 'This search takes too long; try fewer or rarer words',
} as const;

export const translation = {
  quotaUsedUp: 'The translation quota of this server is used up. Try again later',
  rateLimited: 'The translation service received too many requests. Try again later',
} as const;
