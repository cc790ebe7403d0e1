import { HttpError, ValidationError, validationError, type FieldError } from '../../platform/http/http-errors.ts';
import { message, toMessage, type Message } from '../../platform/i18n/message.ts';

/** An invalid field of a thread, such as `posts[2].status`, with what the error says beside its text. */
interface FailedField extends FieldError {
  readonly members?: Record<string, unknown> | undefined;
}

/** Creates a 422 that names every invalid field by its full name. */
export function fieldsError(errors: readonly FailedField[]): HttpError {
  const details: Record<string, { error: string; description: Message }[]> = {};
  for (const { field, error, description } of errors) {
    (details[field] ??= []).push({ error, description: toMessage(description) });
  }
  const members: Record<string, unknown> = Object.assign({}, ...errors.map((error) => error.members));
  const items = errors.map(({ field, description }) =>
    message('threads.fieldProblem', { field, problem: toMessage(description) }),
  );
  return validationError(message('http.list', { items }), { ...members, details });
}

/** Runs the checks of fields, and collects the errors. */
export class FieldChecks {
  readonly errors: FailedField[] = [];

  /** Returns the result of a check, or undefined if it throws 404 or 422. */
  async run<Result>(field: string, check: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await check();
    } catch (error) {
      this.errors.push(toFailedField(field, error));
      return undefined;
    }
  }
}

/** Returns the 404 or 422 of one field as part of the error of the thread. Rethrows every other error. */
export function toFailedField(field: string, error: unknown): FailedField {
  if (!(error instanceof HttpError) || (error.status !== 404 && error.status !== 422)) throw error;
  const { details: _details, ...members } = error.details ?? {};
  const description = error instanceof ValidationError ? error.problem : error.text;
  return { field, error: 'ERR_INVALID', description, members };
}
