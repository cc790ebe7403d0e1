import { changeProfile, profileErrors, type ProfileChanges, type StoredImage } from '../../accounts/profile/index.ts';
import { processProfileImage } from '../../media/upload/index.ts';
import { deleteStoredFiles } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { UploadedFile } from '../../platform/http/parse-params.ts';
import { invalidFieldsError, type FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { AccountId } from '../../platform/ids.ts';
import { contentTypes } from '../../text/format/index.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { updateUserSettings } from '../../users/settings/index.ts';
import type { Privacy, QuotePolicy, UserSettings } from '../../users/index.ts';
import { isOneOf } from '../../platform/known-names.ts';

/** Preferences that clients send with the profile. An empty value changes nothing. */
export interface SourceChanges {
  readonly privacy?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly local_only?: boolean | undefined;
  /** Empty: removes it. */
  readonly language?: string | undefined;
  readonly quote_policy?: string | undefined;
  /** Content type of posts whose app does not name one; GoToSocial's parameter. */
  readonly status_content_type?: string | undefined;
}

export interface CredentialChanges {
  readonly profile: Omit<ProfileChanges, 'avatar' | 'header'>;
  readonly avatar?: UploadedFile | undefined;
  readonly header?: UploadedFile | undefined;
  readonly source?: SourceChanges | undefined;
}

const privacies: readonly Privacy[] = ['public', 'unlisted', 'private'];
const quotePolicies: readonly QuotePolicy[] = ['public', 'followers', 'nobody'];

/**
 * Changes an account's profile, images and preferences, all or nothing (ACC-03, ACC-04). Throws 422 with all invalid
 * fields. Reactions to the events federate the profile and accept the follow requests of an unlocked account.
 */
export async function updateCredentials(app: App, accountId: AccountId, changes: CredentialChanges): Promise<void> {
  const errors = [...profileErrors(changes.profile), ...sourceErrors(changes.source)];
  if (errors.length > 0) throw invalidFieldsError(errors);
  const images = await storeImages(app, accountId, changes);
  try {
    await transaction(app, async (tx) => {
      await changeProfile(tx, app, accountId, { ...changes.profile, ...images });
      const settings = toUserSettings(changes.source);
      if (Object.keys(settings).length > 0) await updateUserSettings(tx, accountId, settings);
    });
  } catch (error) {
    await deleteStoredFiles(
      app,
      [images.avatar, images.header].flatMap((image) => [image?.key, image?.staticKey]),
    );
    throw error;
  }
}

async function storeImages(app: App, accountId: AccountId, { avatar, header }: CredentialChanges) {
  const images: { avatar?: StoredImage; header?: StoredImage } = {};
  if (avatar !== undefined) images.avatar = await processProfileImage(app, accountId, avatar, 'avatar');
  try {
    if (header !== undefined) images.header = await processProfileImage(app, accountId, header, 'header');
  } catch (error) {
    await deleteStoredFiles(app, [images.avatar?.key, images.avatar?.staticKey]);
    throw error;
  }
  return images;
}

function sourceErrors(source: SourceChanges = {}): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, allowed: boolean) => {
    if (!allowed) errors.push({ field, error: 'ERR_INCLUSION', description: message('problems.notIncluded') });
  };
  check('privacy', !source.privacy || isOneOf(privacies, source.privacy));
  check('quote_policy', !source.quote_policy || isOneOf(quotePolicies, source.quote_policy));
  const { status_content_type: type } = source;
  check('status_content_type', !type || isOneOf(contentTypes, type));
  check('language', !source.language || findLanguage(source.language) !== undefined);
  return errors;
}

function toUserSettings(source: SourceChanges = {}): UserSettings {
  const { privacy = '', quote_policy: quotePolicy = '', status_content_type: contentType = '' } = source;
  return {
    ...(isOneOf(privacies, privacy) && { default_privacy: privacy }),
    ...(source.sensitive !== undefined && { default_sensitive: source.sensitive }),
    ...(source.local_only !== undefined && { default_local_only: source.local_only }),
    ...(source.language !== undefined && { default_language: findLanguage(source.language) ?? null }),
    ...(isOneOf(quotePolicies, quotePolicy) && { default_quote_policy: quotePolicy }),
    ...(isOneOf(contentTypes, contentType) && { default_content_type: contentType }),
  };
}
