/** An error that is reported to the client. Any other error is a bug and becomes a 500. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  /** Further members of the body beside `error`. */
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    details?: Record<string, unknown>,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

export const badRequest = (message = 'Bad Request'): HttpError => new HttpError(400, message);
/** 404: it does not exist, or not for this viewer. */
export const notFound = (message = 'Record not found'): HttpError => new HttpError(404, message);
export const gone = (): HttpError => new HttpError(410, 'Gone');
export const forbidden = (message = 'This action is not allowed'): HttpError => new HttpError(403, message);
/** 409: a concurrent request changed it. */
export const conflict = (message: string): HttpError => new HttpError(409, message);
export const remoteUnavailable = (message = 'Remote data could not be fetched'): HttpError =>
  new HttpError(503, message);
export const payloadTooLarge = (): HttpError => new HttpError(413, 'The request is too large');
/** 503 with Retry-After, for temporary failures. */
export const serviceUnavailable = (message: string, headers: Record<string, string> = {}): HttpError =>
  new HttpError(503, message, undefined, { 'retry-after': '10', ...headers });
export const tooManyRequests = (): HttpError => new HttpError(429, 'Too many requests');

export const unauthorized = (message = 'The access token is invalid'): HttpError =>
  new HttpError(401, message, undefined, {
    'www-authenticate': `Bearer realm="Doorkeeper", error="invalid_token", error_description="${message}"`,
  });

export const insufficientScope = (): HttpError =>
  new HttpError(403, 'This action is outside the authorized scopes', undefined, {
    'www-authenticate':
      'Bearer realm="Doorkeeper", error="insufficient_scope", error_description="This action is outside the authorized scopes"',
  });

/** 422 `Validation failed: …`; `message` names the field. */
export const validationFailed = (message: string, details?: Record<string, unknown>): HttpError =>
  new HttpError(422, `Validation failed: ${message}`, details);

/** 422 with exactly this text. */
export const unprocessable = (message: string, details?: Record<string, unknown>): HttpError =>
  new HttpError(422, message, details);

/** An error of one field, in the form of ValidationError (reference/errors.tsv). */
export interface FieldError {
  readonly field: string;
  /** `ERR_` code: ERR_BLANK, ERR_TAKEN, ERR_TOO_LONG, ERR_INVALID, ERR_ACCEPTED … */
  readonly error: string;
  readonly description: string;
}

/** 422 with `details: {field: [{error, description}]}`, which lists every invalid field. */
export function invalidFieldsError(errors: readonly FieldError[]): HttpError {
  const details: Record<string, { error: string; description: string }[]> = {};
  for (const { field, error, description } of errors) (details[field] ??= []).push({ error, description });
  const text = errors.map(({ field, description }) => `${fieldLabel(field)} ${description}`).join(', ');
  return validationFailed(text, { details });
}

const fieldLabel = (field: string): string => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ');
