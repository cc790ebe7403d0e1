/** English texts by domain. Apps and tests depend on those of errors. Names in braces are parameters. */
export const en = {
  http: {
    badRequest: 'Bad Request',
    bodyMustBeObject: 'The JSON body must be an object',
    bodyUnreadable: 'The body cannot be read',
    fieldProblem: '{field} {problem}',
    forbidden: 'This action is not allowed',
    gone: 'Gone',
    insufficientScope: 'This action is outside the authorized scopes',
    internalError: 'Something went wrong on our side',
    invalidToken: 'The access token is invalid',
    jsonUnreadable: 'The JSON body cannot be read',
    list: '{items}',
    missingParameter: 'param is missing or the value is empty: {name}',
    multipartUnreadable: 'The multipart body cannot be read',
    notAFile: '{name} is not a file',
    notAmong: '{name} is not one of {choices}',
    notFound: 'Not Found',
    parameterInvalid: '{name} is invalid',
    parametersTooDeep: 'Parameters are nested too deeply',
    payloadTooLarge: 'The request is too large',
    recordNotFound: 'Record not found',
    remoteUnavailable: 'Remote data could not be fetched',
    requiresUser: 'This method requires an authenticated user',
    serverStopping: 'The server is stopping',
    serverUnavailable: 'The server is temporarily unavailable',
    tooManyParameters: 'Too many parameters',
    tooManyRequests: 'Too many requests',
    unprocessable: 'Unprocessable Content',
    validationFailed: 'Validation failed: {problem}',
  },

  /** Names of parameters, which begin a sentence. */
  fields: {
    display_name: 'Display name',
    email: 'Email',
    password: 'Password',
    text: 'Text',
    title: 'Title',
    url: 'URL',
    username: 'Username',
  },

  /** What is wrong with a parameter; continues its name. */
  problems: {
    blank: "can't be blank",
    differsMoreThanCase: 'may differ from the current one in upper and lower case only',
    tooLong: 'is too long (maximum is {max} characters)',
    tooLongUnbounded: 'is too long',
  },

  invites: {
    invalid: 'This invite was used up or has expired',
    isInvalid: 'was used up or has expired',
    outOfRange: 'must be a whole number from 1 to {max}',
  },

  lists: {
    accountNotFollowed: 'Account must be followed',
    accountTaken: 'Account has already been taken',
    tooManyLists: 'You have reached the maximum number of lists',
  },

  oauth: {
    tokenRevoked: 'The access token was revoked',
  },

  statuses: {
    textTooLong: 'Text character limit of {max} exceeded',
    unexpectedAccounts: 'Post would be sent to unexpected accounts',
  },

  users: {
    disabled: 'Your login is currently disabled',
    pending: 'Your login is currently pending approval',
    unconfirmed: 'Your login is missing a confirmed e-mail address',
    webSettingsTooLarge: 'is too large (maximum is {max} bytes of JSON)',
  },

  web: {
    csrfTokenInvalid: "Can't verify CSRF token authenticity.",
  },

  webhooks: {
    disabled: 'The webhook is disabled: enable it first',
    missingScope: 'The event {event} needs the scope {scope}',
    tooMany: 'You have reached the maximum number of webhooks ({max})',
    urlLocal: 'must not be an address of this server',
    urlNotPublic: 'must be an https address on a public host and the usual port',
  },
} as const;
