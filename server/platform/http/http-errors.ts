import type { MessageArguments, MessageKey } from '../i18n/catalogue.ts';
import { fieldLabel, type FieldName } from '../i18n/field-label.ts';
import { type Message, message, toMessage, type MessageParams, type MessageValue } from '../i18n/message.ts';
import { UserFacingError } from '../user-facing-error.ts';

/**
 * An error that is reported to the client, in the language of its reader. `message` is the English text. Any other error
 * is a bug and becomes a 500.
 */
export class HttpError extends UserFacingError {
  override name = 'HttpError';
  readonly status: number;
  readonly text: Message;
  /** Further members of the body beside `error`; messages in it are rendered with it. */
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, text: Message, details?: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(String(text));
    this.status = status;
    this.text = text;
    this.details = details;
    this.headers = headers;
  }
}

/** Creates an error with a text: the key of one with its parameters, or a message. */
interface CreateError {
  <Key extends MessageKey>(key: Key, ...args: MessageArguments<Key, MessageValue>): HttpError;
  (text: Message): HttpError;
}
/** Creates an error with a default text. */
interface CreateUsualError extends CreateError {
  (text?: Message): HttpError;
}

const errorWith =
  (status: number): CreateError =>
  (text: Message | MessageKey, params?: MessageParams) =>
    new HttpError(status, toMessage(text, params));

const usualError =
  (status: number, usual: Message): CreateUsualError =>
  (text: Message | MessageKey = usual, params?: MessageParams) =>
    new HttpError(status, toMessage(text, params));

export const badRequest = usualError(400, message('http.badRequest'));
/** 404: it does not exist, or not for this viewer. */
export const notFound = usualError(404, message('http.recordNotFound'));
export const gone = (): HttpError => new HttpError(410, message('http.gone'));
export const forbidden = usualError(403, message('http.forbidden'));
/** 403 for a blocked IP address. It has no error page, which would cost queries. */
export class AccessDeniedError extends HttpError {
  override name = 'AccessDeniedError';

  constructor() {
    super(403, message('http.addressBlocked'));
  }
}
/** 409: a concurrent request changed it. */
export const conflict = errorWith(409);
export const remoteUnavailable = usualError(503, message('http.remoteUnavailable'));
export const payloadTooLarge = (): HttpError => new HttpError(413, message('http.payloadTooLarge'));
/** Header of temporary failures. */
export const retryLater = { 'retry-after': '10' };
/** 503 with Retry-After, for temporary failures. */
export const serviceUnavailable = (text: Message, headers: Record<string, string> = {}): HttpError =>
  new HttpError(503, text, undefined, { ...retryLater, ...headers });
export const tooManyRequests = (headers: Record<string, string> = {}): HttpError =>
  new HttpError(429, message('http.tooManyRequests'), undefined, headers);

/** 401 with a challenge, which is English because headers are ASCII. */
export const unauthorized: CreateUsualError = (
  given: Message | MessageKey = 'http.invalidToken',
  params?: MessageParams,
) => {
  const text = toMessage(given, params);
  return new HttpError(401, text, undefined, { 'www-authenticate': challenge('invalid_token', text) });
};

export const insufficientScope = (): HttpError => {
  const text = message('http.insufficientScope');
  return new HttpError(403, text, undefined, { 'www-authenticate': challenge('insufficient_scope', text) });
};

const challenge = (error: string, description: Message): string =>
  `Bearer realm="Doorkeeper", error="${error}", error_description="${String(description)}"`;

/** 422 `Validation failed: …`; the text names the field. */
export const validationFailed: CreateError = (text: Message | MessageKey, params?: MessageParams) =>
  validationError(toMessage(text, params));

/** `validationFailed` with further members of the body. */
export const validationError = (problem: Message, details?: Record<string, unknown>): HttpError =>
  new ValidationError(problem, details);

/** 422 `Validation failed: <problem>`. */
export class ValidationError extends HttpError {
  override name = 'ValidationError';
  readonly problem: Message;

  constructor(problem: Message, details?: Record<string, unknown>) {
    super(422, message('http.validationFailed', { problem }), details);
    this.problem = problem;
  }
}

/** 422 with exactly this text. */
export const unprocessable = errorWith(422);

/** An error of one field, in the form of ValidationError (reference/errors.tsv). */
export interface FieldError {
  readonly field: string;
  /** `ERR_` code: ERR_BLANK, ERR_TAKEN, ERR_TOO_LONG, ERR_INVALID, ERR_ACCEPTED … */
  readonly error: string;
  /** Continues the name of the field: "is too long". */
  readonly description: Message;
}

/** The codes of texts that clients may tell apart; the others are ERR_INVALID. */
const codes: Partial<Record<MessageKey, string>> = {
  'problems.alreadyTaken': 'ERR_TAKEN',
  'problems.blank': 'ERR_BLANK',
  'problems.needsItem': 'ERR_BLANK',
  'problems.notAmong': 'ERR_INCLUSION',
  'problems.notBetween': 'ERR_INCLUSION',
  'problems.outOfRange': 'ERR_INCLUSION',
  'problems.reserved': 'ERR_RESERVED',
  'problems.tooLong': 'ERR_TOO_LONG',
  'problems.tooLongList': 'ERR_TOO_LONG',
  'problems.tooMany': 'ERR_TOO_MANY',
  'problems.unknownLanguage': 'ERR_INCLUSION',
  'problems.unknownPermission': 'ERR_INCLUSION',
};

const codeOf = (problem: MessageKey): string => codes[problem] ?? 'ERR_INVALID';

/** 422 `Validation failed: <field> <problem>`, with `details` as of `invalidFieldsError`. */
export function invalidField<Key extends MessageKey>(
  field: FieldName,
  problem: Key,
  ...args: MessageArguments<Key, MessageValue>
): HttpError {
  const description = message(problem, ...args);
  return invalidFieldsError([{ field, error: codeOf(problem), description }]);
}

/** `invalidField` for a mistake of the client: the text has the name of the parameter, which its developers know. */
export function invalidParameter<Key extends MessageKey>(
  name: string,
  problem: Key,
  ...args: MessageArguments<Key, MessageValue>
): HttpError {
  const description = message(problem, ...args);
  const text = message('http.fieldProblem', { field: name, problem: description });
  return validationError(text, { details: { [name]: [{ error: codeOf(problem), description }] } });
}

/** 422 with `details: {field: [{error, description}]}`, which lists every invalid field. */
export function invalidFieldsError(errors: readonly FieldError[]): HttpError {
  const details: Record<string, { error: string; description: Message }[]> = {};
  for (const { field, error, description } of errors) {
    (details[field] ??= []).push({ error, description });
  }
  return validationError(listFieldErrors(errors), { details });
}

/** Returns the errors of fields as one text, without the words "Validation failed". */
export const listFieldErrors = (errors: readonly FieldError[]): Message =>
  message('http.list', {
    items: errors.map(({ field, description }) => fieldProblem(field, description)),
  });

/** Returns the name of a field with its problem. One of the whole entity, whose field is `base`, is a full sentence. */
const fieldProblem = (field: string, problem: Message): Message =>
  field === 'base' ? problem : message('http.fieldProblem', { field: fieldLabel(field), problem });
