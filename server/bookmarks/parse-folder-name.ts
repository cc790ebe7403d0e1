import { invalidFieldsError, type HttpError } from '../platform/http/http-errors.ts';
import { message, type Message } from '../platform/i18n/message.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';

/** In characters. */
const maxNameLength = 100;

/** Returns a name as it is stored. Throws 422 if it is empty or too long. */
export function parseFolderName(text: string): string {
  const name = cleanText(text).trim();
  if (name === '') throw nameError('ERR_BLANK', message('problems.blank'));
  if (exceedsLimit(name, maxNameLength))
    throw nameError('ERR_TOO_LONG', message('problems.tooLong', { max: maxNameLength }));
  return name;
}

/** Another folder has the name, upper and lower case alike. */
export const takenNameError = (): HttpError => nameError('ERR_TAKEN', message('problems.alreadyTaken'));

const nameError = (error: string, description: Message): HttpError =>
  invalidFieldsError([{ field: 'name', error, description }]);
