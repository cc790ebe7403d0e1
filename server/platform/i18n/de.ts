import type { Catalogue } from './catalogue.ts';

/** German texts, which address the reader informally. */
export const de: Catalogue = {
  http: {
    badRequest: 'Ungültige Anfrage',
    bodyMustBeObject: 'Der JSON-Inhalt der Anfrage muss ein Objekt sein',
    bodyUnreadable: 'Der Inhalt der Anfrage kann nicht gelesen werden',
    fieldProblem: '{field} {problem}',
    forbidden: 'Diese Aktion ist nicht erlaubt',
    gone: 'Nicht mehr vorhanden',
    insufficientScope: 'Diese Aktion geht über die erteilten Berechtigungen hinaus',
    internalError: 'Auf unserer Seite ist etwas schiefgelaufen',
    invalidToken: 'Das Zugriffstoken ist ungültig',
    jsonUnreadable: 'Der JSON-Inhalt der Anfrage kann nicht gelesen werden',
    list: '{items}',
    missingParameter: 'Parameter fehlt oder ist leer: {name}',
    multipartUnreadable: 'Der Multipart-Inhalt der Anfrage kann nicht gelesen werden',
    notAFile: '{name} ist keine Datei',
    notAmong: '{name} muss einer dieser Werte sein: {choices}',
    notFound: 'Nicht gefunden',
    parameterInvalid: '{name} ist ungültig',
    parametersTooDeep: 'Die Parameter sind zu tief verschachtelt',
    payloadTooLarge: 'Die Anfrage ist zu groß',
    recordNotFound: 'Eintrag nicht gefunden',
    remoteUnavailable: 'Die Daten des anderen Servers konnten nicht abgerufen werden',
    requiresUser: 'Diese Methode erfordert ein angemeldetes Konto',
    serverStopping: 'Der Server wird gerade beendet',
    serverUnavailable: 'Der Server ist vorübergehend nicht verfügbar',
    tooManyParameters: 'Zu viele Parameter',
    tooManyRequests: 'Zu viele Anfragen',
    unprocessable: 'Die Anfrage konnte nicht verarbeitet werden',
    validationFailed: 'Ungültige Eingabe: {problem}',
  },

  fields: {
    display_name: 'Anzeigename',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    text: 'Text',
    title: 'Titel',
    url: 'URL',
    username: 'Profilname',
  },

  problems: {
    blank: 'darf nicht leer sein',
    differsMoreThanCase: 'darf sich von der bisherigen Schreibweise nur in Groß- und Kleinbuchstaben unterscheiden',
    tooLong: 'ist zu lang (höchstens {max} Zeichen)',
    tooLongUnbounded: 'ist zu lang',
  },

  invites: {
    invalid: 'Diese Einladung ist aufgebraucht oder abgelaufen',
    isInvalid: 'ist aufgebraucht oder abgelaufen',
    outOfRange: 'muss eine ganze Zahl von 1 bis {max} sein',
  },

  lists: {
    accountNotFollowed: 'Du musst dem Konto folgen',
    accountTaken: 'Das Konto ist schon in der Liste',
    tooManyLists: 'Du hast die Höchstzahl an Listen erreicht',
  },

  oauth: {
    tokenRevoked: 'Das Zugriffstoken wurde widerrufen',
  },

  statuses: {
    textTooLong: 'Der Text überschreitet die Grenze von {max} Zeichen',
    unexpectedAccounts: 'Der Beitrag würde an unerwartete Konten gehen',
  },

  users: {
    disabled: 'Dein Konto ist derzeit deaktiviert',
    pending: 'Dein Konto wartet noch auf die Freigabe',
    unconfirmed: 'Deine E-Mail-Adresse ist noch nicht bestätigt',
    webSettingsTooLarge: 'ist zu groß (höchstens {max} Bytes JSON)',
  },

  web: {
    csrfTokenInvalid: 'Das CSRF-Token ist ungültig.',
  },

  webhooks: {
    disabled: 'Der Webhook ist deaktiviert: aktiviere ihn zuerst',
    missingScope: 'Das Ereignis {event} erfordert die Berechtigung {scope}',
    tooMany: 'Du hast die Höchstzahl an Webhooks erreicht ({max})',
    urlLocal: 'darf keine Adresse dieses Servers sein',
    urlNotPublic: 'muss eine https-Adresse auf einem öffentlichen Host und dem üblichen Port sein',
  },
};
