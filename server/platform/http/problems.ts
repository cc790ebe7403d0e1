/** A refusal that the client is told about. Anything else that is thrown is a bug and becomes a 500. */
export class Problem extends Error {
  override name = 'Problem';
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

export const badRequest = (message = 'Bad Request'): Problem => new Problem(400, message);
/** 404: it does not exist, or not for this viewer. */
export const notFound = (message = 'Record not found'): Problem => new Problem(404, message);
export const gone = (): Problem => new Problem(410, 'Gone');
export const forbidden = (message = 'This action is not allowed'): Problem => new Problem(403, message);
/** 409: somebody else changed it meanwhile. */
export const conflict = (message: string): Problem => new Problem(409, message);
export const unavailable = (message = 'Remote data could not be fetched'): Problem => new Problem(503, message);
export const tooLarge = (): Problem => new Problem(413, 'The request is too large');
/** 503 with Retry-After, for failures that may pass in a moment. */
export const comeBack = (message: string, headers: Record<string, string> = {}): Problem =>
  new Problem(503, message, undefined, { 'retry-after': '10', ...headers });
export const tooManyRequests = (): Problem => new Problem(429, 'Too many requests');

export const unauthorized = (message = 'The access token is invalid'): Problem =>
  new Problem(401, message, undefined, {
    'www-authenticate': `Bearer realm="Doorkeeper", error="invalid_token", error_description="${message}"`,
  });

export const outsideScopes = (): Problem =>
  new Problem(403, 'This action is outside the authorized scopes', undefined, {
    'www-authenticate':
      'Bearer realm="Doorkeeper", error="insufficient_scope", error_description="This action is outside the authorized scopes"',
  });

/** 422 `Validation failed: …`; `message` names the field. */
export const invalid = (message: string, details?: Record<string, unknown>): Problem =>
  new Problem(422, `Validation failed: ${message}`, details);

/** 422 with exactly this text. */
export const unprocessable = (message: string, details?: Record<string, unknown>): Problem =>
  new Problem(422, message, details);

/** What is wrong with one field, in the form of ValidationError (reference/errors.tsv). */
export interface FieldError {
  readonly field: string;
  /** `ERR_` code: ERR_BLANK, ERR_TAKEN, ERR_TOO_LONG, ERR_INVALID, ERR_ACCEPTED … */
  readonly error: string;
  readonly description: string;
}

/** 422 with `details: {field: [{error, description}]}`, all errors at once. */
export function invalidFields(errors: readonly FieldError[]): Problem {
  const details: Record<string, { error: string; description: string }[]> = {};
  for (const { field, error, description } of errors) (details[field] ??= []).push({ error, description });
  const text = errors.map(({ field, description }) => `${label(field)} ${description}`).join(', ');
  return invalid(text, { details });
}

const label = (field: string): string => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ');
