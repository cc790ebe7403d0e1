import type { PushAlerts } from './schema.ts';

type NotificationType = keyof PushAlerts;
/** The title of a push message about a notification from an account of this name. */
type Titles = { readonly [Type in NotificationType]: (name: string) => string };

const english: Titles = {
  mention: (name) => `${name} mentioned you`,
  status: (name) => `${name} posted`,
  reblog: (name) => `${name} boosted your post`,
  follow: (name) => `${name} followed you`,
  follow_request: (name) => `${name} requested to follow you`,
  favourite: (name) => `${name} favourited your post`,
  poll: (name) => `A poll by ${name} has ended`,
  update: (name) => `${name} edited a post that you boosted`,
  quote: (name) => `${name} quoted your post`,
  quoted_update: (name) => `${name} edited a post that you quoted`,
  'admin.sign_up': (name) => `${name} signed up`,
  'admin.report': (name) => `${name} filed a report`,
  severed_relationships: () => 'Some of your follows and followers are gone',
  moderation_warning: () => 'You received a moderation warning',
  annual_report: () => 'Your year in review is ready',
  added_to_collection: (name) => `${name} added you to a collection`,
  collection_update: (name) => `${name} changed a collection that you are in`,
};

const german: Titles = {
  mention: (name) => `${name} hat dich erwähnt`,
  status: (name) => `${name} hat etwas gepostet`,
  reblog: (name) => `${name} hat deinen Beitrag geteilt`,
  follow: (name) => `${name} folgt dir jetzt`,
  follow_request: (name) => `${name} möchte dir folgen`,
  favourite: (name) => `${name} hat deinen Beitrag favorisiert`,
  poll: (name) => `Eine Umfrage von ${name} ist beendet`,
  update: (name) => `${name} hat einen Beitrag bearbeitet, den du geteilt hast`,
  quote: (name) => `${name} hat deinen Beitrag zitiert`,
  quoted_update: (name) => `${name} hat einen Beitrag bearbeitet, den du zitiert hast`,
  'admin.sign_up': (name) => `${name} hat sich registriert`,
  'admin.report': (name) => `${name} hat eine Meldung eingereicht`,
  severed_relationships: () => 'Einige deiner Follower und gefolgten Profile sind weg',
  moderation_warning: () => 'Du wurdest von der Moderation verwarnt',
  annual_report: () => 'Dein Jahresrückblick ist da',
  added_to_collection: (name) => `${name} hat dich in eine Sammlung aufgenommen`,
  collection_update: (name) => `${name} hat eine Sammlung geändert, in der du bist`,
};

const catalogues: Readonly<Record<string, Titles>> = { en: english, de: german };

/** Returns the title of a push message in the language of `locale`, or in English. */
export function pushTitle(locale: string, type: NotificationType, name: string): string {
  const language = locale.split('-', 1)[0]?.toLowerCase() ?? '';
  const titles = Object.hasOwn(catalogues, language) ? catalogues[language] : undefined;
  return (titles ?? english)[type](name);
}
