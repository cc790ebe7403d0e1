import type { Catalogue } from '../catalogue.ts';

export const accounts: Catalogue['accounts'] = {
  instanceActor: 'Das Konto des Servers selbst kann nicht gesperrt werden',
  suspendedByDomainBlock: 'Das Konto ist durch die Sperre seiner Domain gesperrt',
  suspendedByOwnServer: 'Das Konto ist von seinem eigenen Server gesperrt',
};

export const relationships: Catalogue['relationships'] = {
  blockSelf: 'Du kannst dich nicht selbst blockieren',
  endorseUnfollowed: 'Du kannst nur Konten empfehlen, denen du folgst',
  followMoved: 'Dieses Konto ist umgezogen, du kannst ihm nicht folgen',
  followOstatus: 'Dieses Konto verwendet das alte Protokoll OStatus, du kannst ihm nicht folgen',
  followSelf: 'Du kannst dir nicht selbst folgen',
  tooManyFollows: 'Du kannst höchstens {max} Konten folgen',
  tooManyRequested: 'Es können höchstens {max} Konten auf einmal angefragt werden',
};

export const archives: Catalogue['archives'] = {
  running: 'Dein Archiv wird bereits erstellt',
  tooSoon: 'Du kannst alle 7 Tage ein Archiv anfordern. Das nächste ist ab {date} möglich',
};

export const imports: Catalogue['imports'] = {
  empty: 'Die Datei hat keine Zeilen',
  notCsv: 'Die Datei ist ab Zeile {line} kein CSV',
  running: 'Ein Import dieser Art läuft bereits',
  tooLong: 'Die Datei hat mehr als {max} Zeilen',
};

export const lists: Catalogue['lists'] = {
  accountNotFollowed: 'Du musst dem Konto folgen',
  accountTaken: 'Das Konto ist schon in der Liste',
  tooManyLists: 'Du hast die Höchstzahl an Listen erreicht',
};

export const collections: Catalogue['collections'] = {
  accountTaken: 'Das Konto ist schon in der Sammlung',
  missingAccountId: 'Der Parameter `account_id` fehlt',
  notFeaturable: 'Dieses Konto kann nicht in Sammlungen aufgenommen werden',
  tooMany: 'Du hast die Höchstzahl an Sammlungen erreicht ({max})',
};

export const notifications: Catalogue['notifications'] = {
  invalidExpandAccounts: 'Ungültiger Wert für „expand_accounts“',
};

export const push: Catalogue['push'] = {
  added_to_collection: '{name} hat dich in eine Sammlung aufgenommen',
  'admin.report': '{name} hat eine Meldung eingereicht',
  'admin.sign_up': '{name} hat sich registriert',
  annual_report: 'Dein Jahresrückblick ist da',
  collection_update: '{name} hat eine Sammlung geändert, in der du bist',
  favourite: '{name} hat deinen Beitrag favorisiert',
  follow: '{name} folgt dir jetzt',
  follow_request: '{name} möchte dir folgen',
  mention: '{name} hat dich erwähnt',
  moderation_warning: 'Du wurdest von der Moderation verwarnt',
  poll: 'Eine Umfrage von {name} ist beendet',
  quote: '{name} hat deinen Beitrag zitiert',
  quoted_update: '{name} hat einen Beitrag bearbeitet, den du zitiert hast',
  reblog: '{name} hat deinen Beitrag geteilt',
  severed_relationships: 'Du hast einige Follower und gefolgte Profile verloren',
  status: '{name} hat etwas gepostet',
  update: '{name} hat einen Beitrag bearbeitet, den du geteilt hast',
};

export const domains: Catalogue['domains'] = {
  alreadyBlocked: 'Diese Domain ist durch die Sperre von {domain} schon gesperrt',
  listTooLong: 'Die Liste hat mehr als {max} Zeilen',
  notCsv: 'Die Liste ist ab Zeile {line} kein CSV',
  unknownSeverity: 'Unbekannter Schweregrad: {severity}',
  knownList: 'Diese Liste ist schon abonniert: {url}',
  tooManyLists: 'Die Höchstzahl an Listen ist erreicht ({max})',
  urlNotPublic: 'muss eine HTTPS-Adresse auf einem öffentlichen Host mit dem Standardport sein',
};

export const streaming: Catalogue['streaming'] = {
  failedUnsubscribe: 'Der Kanal konnte nicht abbestellt werden',
  foreignList: 'Keine Berechtigung, diese Liste zu streamen',
  invalidToken: 'Ungültiges Zugriffstoken',
  missingList: 'Der Parameter für die Liste fehlt',
  missingScope: 'Das Zugriffstoken hat nicht die nötigen Berechtigungen',
  missingTag: 'Der Parameter für den Hashtag fehlt',
  missingToken: 'Das Zugriffstoken fehlt',
  tooManyConnections: 'Zu viele offene Verbindungen',
  tooManyStreams: 'Zu viele Streams auf dieser Verbindung',
  unknownPath: 'Unbekannter Kanal',
  unknownStream: 'Unbekannte Art von Stream',
};
