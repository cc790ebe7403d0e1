import type { Catalogue } from '../catalogue.ts';

export const moderation: Catalogue['moderation'] = {
  appeal: 'Einspruch einlegen',
  appealApprovedDeleted:
    'Das Team hat deinem Einspruch stattgegeben. Die Entscheidung zählt nicht mehr. Gelöschte Beiträge können nicht wiederhergestellt werden.',
  appealApproved: 'Das Team hat deinem Einspruch stattgegeben. Die Entscheidung ist rückgängig gemacht.',
  appealPending: 'Du hast Einspruch eingelegt. Das Team antwortet per E-Mail.',
  appealRejected: 'Das Team hat deinen Einspruch abgelehnt.',
  appealText: 'Warum die Entscheidung falsch ist',
  disabled: 'Dein Konto wurde deaktiviert',
  jobUnchangeable: 'Der Auftrag läuft gerade oder ist nicht fehlgeschlagen',
  noStrikes: 'Es gibt keine.',
  sensitized: 'Alle Medien deines Kontos werden als sensibel angezeigt',
  silenced: 'Dein Konto wurde eingeschränkt',
  statusesDeleted: 'Beiträge von dir wurden gelöscht',
  statusesSensitized: 'Beiträge von dir wurden als sensibel markiert',
  strikesTitle: 'Entscheidungen des Teams über dein Konto',
  suspended: 'Dein Konto wurde gesperrt',
  warned: 'Du wurdest verwarnt',
  appealDecided: 'Über den Einspruch ist schon entschieden',
  appealedBefore: 'Gegen die Entscheidung wurde schon Einspruch eingelegt',
  appealTooLate: 'Gegen die Entscheidung ist kein Einspruch mehr möglich: {days} Tage sind vergangen',
  suspendFirst: 'Nur Konten, die das Team gesperrt hat, lassen sich löschen: Sperre es zuerst',
};

export const heldPosts: Catalogue['heldPosts'] = {
  decided: 'Darüber wurde schon entschieden',
  tooMany: 'Zu viele deiner Beiträge warten auf die Prüfung',
  unpublishable:
    'Der Beitrag kann nicht mehr veröffentlicht werden: Sein Konto ist gesperrt, oder der beantwortete Beitrag wurde gelöscht',
};

export const moderationRules: Catalogue['moderationRules'] = {
  followRefused: 'Eine Moderationsregel dieses Servers erlaubt nicht, diesem Konto zu folgen',
  notBlurhash: 'müssen BlurHashes sein, wie sie Anhänge von Beiträgen haben',
  notForSubject: 'ist in Regeln für {subject} nicht möglich',
  onlyForPosts: 'dürfen {name} nur in Regeln für Beiträge enthalten',
  onlyPostsTried: 'Nur Regeln für Beiträge können erprobt werden',
  trialRuns: 'Die Regel wird gerade schon erprobt',
  postRefused: 'Eine Moderationsregel dieses Servers lässt diesen Beitrag nicht zu',
  signUpRefused: 'Eine Moderationsregel dieses Servers lässt diese Registrierung nicht zu',
  tooMany: 'Zu viele Moderationsregeln: höchstens {max}',
  tooManyCharacters: 'Die Schlüsselwörter aller Regeln haben zu viele Zeichen: höchstens {max}',
  unknownCondition: 'ist keine bekannte Bedingung',
};

export const hosts: Catalogue['hosts'] = {
  paused: 'Zustellungen an {domain} sind angehalten: Setze sie zuerst fort',
};

export const relays: Catalogue['relays'] = {
  domainBlocked: 'Mit {domain} werden keine Beiträge ausgetauscht: Hebe zuerst die Sperre auf',
  known: 'Dieses Relay steht schon in der Liste: {url}',
  tooMany: 'Die Höchstzahl an Relays ist erreicht ({max})',
  urlLocal: 'darf keine Adresse dieses Servers sein',
  urlNotPublic: 'muss eine HTTPS-Adresse auf einem öffentlichen Host mit dem Standardport sein',
};

export const reports: Catalogue['reports'] = {
  ownAccount: 'Du kannst dich nicht selbst melden',
  unknownRules: 'Die angegebenen Regeln gibt es nicht',
};

export const measures: Catalogue['measures'] = {
  archives: 'Archive von Konten',
  customEmojis: 'Eigene Emojis',
  mediaCache: 'Zwischenspeicher für Medien anderer Server',
  profileImages: 'Profil- und Titelbilder',
  siteImages: 'Bilder der Website',
  valkey: 'Valkey',
  mediaStorage: 'Mediendateien',
  tooManyKeys: 'Die Schlüssel überschreiten die Höchstzahl von {max}',
  unknownLanguage: 'Unbekannte Sprache',
  website: 'Website',
};

export const site: Catalogue['site'] = {
  alreadyAnnounced: 'Über diese Version wurden schon alle benachrichtigt',
  unknownLanguage: 'Unbekanntes Sprachkürzel: {code}',
};

export const webhooks: Catalogue['webhooks'] = {
  badTemplate: 'enthält eine ungültige Variable: {text}',
  disabled: 'Der Webhook ist deaktiviert: Aktiviere ihn zuerst',
  missingPermission: 'Das Ereignis {event} erfordert das Recht {permission}',
  missingScope: 'Das Ereignis {event} erfordert die Berechtigung {scope}',
  needsApp: 'Nur Apps können Webhooks anlegen: Verwende ein Zugangstoken',
  tooMany: 'Du hast die Höchstzahl an Webhooks erreicht ({max})',
  tooManyVariables: 'darf höchstens {max} Variablen enthalten',
  urlLocal: 'darf keine Adresse dieses Servers sein',
  urlNotPublic: 'muss eine HTTPS-Adresse auf einem öffentlichen Host mit dem Standardport sein',
};

export const invites: Catalogue['invites'] = {
  invalid: 'Diese Einladung ist aufgebraucht oder abgelaufen',
  isInvalid: 'ist aufgebraucht oder abgelaufen',
  create: 'Einladung erstellen',
  expiresAt: 'Gültig bis {date}.',
  expiresIn: 'Läuft ab nach',
  hint: 'Mit dem Link können sich andere registrieren, auch wenn die Registrierung geschlossen ist.',
  hintApproval:
    'Mit dem Link können sich andere registrieren, auch wenn die Registrierung geschlossen ist. Das Team gibt jede Registrierung frei.',
  maxUses: 'Anzahl der Personen',
  never: 'Nie',
  newTitle: 'Neue Einladung',
  none: 'Du hast keine Einladungen.',
  outOfRange: 'muss eine ganze Zahl von 1 bis {max} sein',
  revoke: 'Widerrufen',
  revokeOf: 'Einladung {code} widerrufen',
  title: 'Einladungen',
  tooMany: 'Du hast die Höchstzahl an Einladungen erreicht ({max})',
  unlimited: 'Unbegrenzt',
  usedCount: { one: '{count} Person hat sich registriert.', other: '{count} Personen haben sich registriert.' },
  usedOf: 'Von {uses} von {max} Personen genutzt.',
  uses: { one: '{count} Person', other: '{count} Personen' },
};

export const announcements: Catalogue['announcements'] = {
  allDayNeedsTimes: 'Ganztägig braucht einen Beginn und ein Ende',
  alreadyReacted: 'Du hast schon mit diesem Emoji reagiert',
  tooManyReactions: 'Die Höchstzahl verschiedener Reaktionen ist erreicht',
};
