import type { Catalogue } from '../catalogue.ts';

export const statuses: Catalogue['statuses'] = {
  boostPrivate: 'Ein privater Beitrag kann nicht geteilt werden',
  editBoost: 'Ein geteilter Beitrag kann nicht bearbeitet werden',
  editPending: 'Eine Antwort, die auf Zustimmung wartet, kann nicht bearbeitet werden',
  favouriteNotPermitted: 'Der Autor dieses Beitrags erlaubt dir nicht, ihn zu favorisieren',
  noConversation: 'Der Beitrag gehört zu keiner Unterhaltung',
  nothingToQuote: 'Den Beitrag, der zitiert werden soll, gibt es nicht',
  pinBoost: 'Ein geteilter Beitrag kann nicht angeheftet werden',
  pinDirect: 'Beiträge, die nur für erwähnte Profile sichtbar sind, können nicht angeheftet werden',
  pinForeign: 'Du kannst nur eigene Beiträge anheften',
  pollNeedsSignIn: 'Diese Umfrage ist nicht öffentlich: Melde dich an, um sie zu sehen',
  quoteBoost: 'Ein geteilter Beitrag kann nicht zitiert werden',
  quoteUnmentioned: 'Ein Beitrag nur für Erwähnte kann nur Konten zitieren, die er erwähnt',
  reactionNotPermitted: 'Der Autor dieses Beitrags erlaubt dir nicht, darauf zu reagieren',
  reblogNotPermitted: 'Der Autor dieses Beitrags erlaubt dir nicht, ihn zu teilen',
  replyNotPermitted: 'ist ein Beitrag, auf den du nicht antworten darfst',
  scheduledTooSoon: 'Der Zeitpunkt muss mindestens fünf Minuten in der Zukunft liegen',
  textTooLong: 'Der Text überschreitet die Grenze von {max} Zeichen',
  threadNeedsApproval: 'ist ein Beitrag, dessen Autor Antworten zustimmen muss: antworte mit einem einzelnen Beitrag',
  tooManyIds: 'Zu viele IDs: höchstens {max}',
  tooManyPins: 'Du hast schon die Höchstzahl an Beiträgen angeheftet',
  tooManyReactions: 'Es gibt schon {max} Reaktionen',
  tooManyScheduled: 'Es können höchstens {max} Beiträge geplant werden',
  tooManyScheduledPerDay: 'Für einen Tag können höchstens {max} Beiträge geplant werden',
  unexpectedAccounts: 'Der Beitrag würde an unerwartete Konten gehen',
};

export const threads: Catalogue['threads'] = {
  atMost: 'darf höchstens {max} Einträge haben',
  fieldProblem: '{field}: {problem}',
  notSchedulable: 'wird für Threads nicht unterstützt; plane einzelne Beiträge mit POST /api/v1/statuses',
};

export const drafts: Catalogue['drafts'] = {
  changed: 'Der Entwurf wurde inzwischen geändert: Lade ihn neu',
  filesUnavailable:
    'nennt eine Datei, die es nicht gibt, die dir nicht gehört oder die schon in einem anderen Beitrag oder Entwurf ist',
  pollTooLong: 'darf höchstens {maxOptions} Antworten mit jeweils höchstens {maxLength} Zeichen haben',
  tooManyDrafts: 'Du hast die Höchstzahl von {max} Entwürfen erreicht',
  tooManyFiles: 'Du hast die Höchstzahl von {max} Dateien in Entwürfen erreicht',
};

export const bookmarks: Catalogue['bookmarks'] = {
  notBookmarked: 'nennt einen Beitrag ohne Lesezeichen',
  searchTooLong: 'ist zu lang (höchstens {max} Zeichen und {maxWords} Wörter)',
  tooManyFolders: 'Du hast die Höchstzahl von {max} Ordnern für Lesezeichen erreicht',
};

export const polls: Catalogue['polls'] = {
  alreadyVoted: 'Du hast bei dieser Umfrage schon abgestimmt',
  duplicateOptions: 'Die Antworten enthalten Wiederholungen',
  ended: 'Die Umfrage ist schon beendet',
  optionTooLong: 'Eine Antwort darf höchstens {max} Zeichen haben',
  ownPoll: 'Du kannst bei deinen eigenen Umfragen nicht abstimmen',
  tooFewOptions: 'Es muss mehr als eine Antwort geben',
  tooManyOptions: 'Es darf höchstens {max} Antworten geben',
  unknownChoice: 'Die gewählte Antwort gibt es nicht',
};

export const media: Catalogue['media'] = {
  attachmentFailed: 'Dateien, die nicht verarbeitet werden konnten, können nicht angehängt werden',
  attachmentInUse: 'Die Datei wird in einem Beitrag verwendet',
  attachmentNotReady: 'Die Dateien werden noch verarbeitet. Versuche es gleich noch einmal!',
  attachmentUnavailable:
    'Eine der Dateien gibt es nicht, sie gehört dir nicht, oder sie wird schon in einem anderen Beitrag verwendet',
  animationNotConvertible: 'Animierte Bilder dieser Art oder Länge kann dieser Server nicht umwandeln',
  animationTooLarge: 'Animierte Bilder mit {width}x{height} Pixeln werden nicht unterstützt',
  audioNotConvertible: 'Dieser Server kann Audiodateien dieser Art nicht umwandeln',
  busy: 'Es werden gerade zu viele Dateien verarbeitet; bitte in einigen Sekunden erneut versuchen',
  fileTooLarge: 'Ungültige Eingabe: Datei muss kleiner als 16 MB sein',
  gifNotConvertible: 'Dieser Server kann GIF-Dateien mit so vielen Bildern nicht umwandeln',
  gifTooLarge: 'GIF-Dateien mit {width}x{height} Pixeln werden nicht unterstützt',
  heicUnsupported: 'Dieser Server kann HEIC-Bilder nicht lesen',
  imageTooLarge: 'Bilder mit {width}x{height} Pixeln werden nicht unterstützt',
  mixedAttachments: 'Ein Video oder eine Audiodatei kann nicht zusammen mit anderen Dateien angehängt werden',
  processingFailed: 'Die hochgeladene Datei konnte nicht verarbeitet werden',
  rangeNotSatisfiable: 'Der angeforderte Bereich ist nicht verfügbar',
  sourceGone: 'die Quelldatei ist nicht mehr vorhanden',
  thumbnailTooLarge: 'Ungültige Eingabe: Vorschaubild muss kleiner als 16 MB sein',
  tooLong: 'Dateien von mehr als 4 Stunden werden nicht unterstützt',
  tooManyAttachments: 'Es können höchstens {max} Dateien angehängt werden',
  unverifiedType: 'Die Art der hochgeladenen Datei konnte nicht erkannt werden',
  videoFrameRate: 'Videos mit {rate} Bildern pro Sekunde werden nicht unterstützt',
  videoNotConvertible: 'Dieser Server kann Videos dieser Art nicht umwandeln',
  videoTooLarge: 'Videos mit {width}x{height} Pixeln werden nicht unterstützt',
  videoTooManyFrames: 'Videos mit mehr als {max} Bildern werden nicht unterstützt',
};

export const emojis: Catalogue['emojis'] = {
  exists: 'Das Emoji :{shortcode}: gibt es schon',
  invalidShortcode: 'Kurzcode muss aus 2 bis 128 Buchstaben, Ziffern oder Unterstrichen bestehen',
  notLocal: 'Nur lokale Emojis können geändert werden',
  notRemote: 'Nur Emojis anderer Server können kopiert werden',
  tooMany: 'Zu viele Emojis auf einmal: höchstens {max}',
  unknown: 'Das Emoji :{shortcode}: gibt es nicht',
};

export const hashtags: Catalogue['hashtags'] = {
  tooManyFeatured: 'Du hast schon die Höchstzahl an Hashtags vorgestellt',
};

export const filters: Catalogue['filters'] = {
  severalKeywords:
    'Diese Parameter betreffen mehr als ein Filter-Stichwort und können mit dieser Version der API nicht geändert werden',
  statusTaken: 'Der Beitrag ist schon in diesem Filter',
  tooManyCharacters: 'Du hast die Höchstzahl an Zeichen in Filter-Stichwörtern erreicht ({max})',
  tooManyFilters: 'Du hast die Höchstzahl an Filtern erreicht ({max})',
  tooManyKeywords: 'Du hast die Höchstzahl an Filter-Stichwörtern erreicht ({max})',
  tooManyStatuses: 'Du hast die Höchstzahl an gefilterten Beiträgen erreicht ({max})',
};

export const search: Catalogue['search'] = {
  busy: 'Es laufen gerade zu viele Suchen; bitte in einigen Sekunden erneut versuchen',
  pagingNeedsSignIn: 'Ohne Anmeldung kann in Suchergebnissen nicht geblättert werden',
  positivePaging: 'Die Werte für `offset` und `limit` müssen positiv sein',
  resolvingNeedsSignIn: 'Ohne Anmeldung kann nicht auf anderen Servern gesucht werden',
  tooSlow: 'Diese Suche dauert zu lange; bitte mit weniger oder selteneren Wörtern versuchen',
};

export const translation: Catalogue['translation'] = {
  quotaUsedUp: 'Das Übersetzungskontingent dieses Servers ist aufgebraucht. Versuche es später noch einmal',
  rateLimited: 'Der Übersetzungsdienst hat zu viele Anfragen erhalten. Versuche es später noch einmal',
};
