import type { Catalogue } from '../catalogue.ts';

export const statuses: Catalogue['statuses'] = {
  boostPrivate: 'No se puede impulsar una publicación privada',
  editBoost: 'No se puede editar un impulso',
  editPending: 'No se puede editar una respuesta pendiente de aprobación',
  favouriteNotPermitted: 'El autor de esta publicación no te permite marcarla como favorita',
  noConversation: 'La publicación no pertenece a ninguna conversación',
  nothingToQuote: 'La publicación que quieres citar no existe',
  pinBoost: 'No se puede fijar un impulso',
  pinDirect: 'No se pueden fijar publicaciones que solo ven las personas mencionadas',
  pinForeign: 'No se puede fijar la publicación de otra persona',
  pollNeedsSignIn: 'Esta encuesta no es pública: inicia sesión para verla',
  quoteBoost: 'No se puede citar un impulso',
  quoteUnmentioned: 'Una mención privada solo puede citar a cuentas que menciona',
  reactionNotPermitted: 'El autor de esta publicación no te permite reaccionar a ella',
  reblogNotPermitted: 'El autor de esta publicación no te permite impulsarla',
  replyNotPermitted: 'es una publicación cuyo autor no te permite responder',
  scheduledTooSoon: 'La publicación debe programarse con al menos cinco minutos de antelación',
  textTooLong: 'El texto supera el límite de {max} caracteres',
  threadNeedsApproval: 'es una publicación cuyo autor aprueba las respuestas: responde con una sola publicación',
  tooManyIds: 'Demasiados identificadores: como máximo {max}',
  tooManyPins: 'Ya has fijado el número máximo de publicaciones',
  tooManyReactions: 'Ya hay {max} reacciones',
  tooManyScheduled: 'Se pueden programar como máximo {max} publicaciones',
  tooManyScheduledPerDay: 'Se pueden programar como máximo {max} publicaciones para un mismo día',
  unexpectedAccounts: 'La publicación se enviaría a cuentas inesperadas',
};

export const threads: Catalogue['threads'] = {
  atMost: 'puede tener como máximo {max} elementos',
  fieldProblem: '{field}: {problem}',
  notSchedulable: 'no se admite en los hilos; programa publicaciones sueltas con POST /api/v1/statuses',
};

export const drafts: Catalogue['drafts'] = {
  changed: 'El borrador se ha modificado entretanto: vuelve a cargarlo',
  filesUnavailable: 'incluye un archivo que no existe, que no es tuyo o que ya está en otra publicación o borrador',
  pollTooLong: 'puede tener como máximo {maxOptions} opciones de hasta {maxLength} caracteres cada una',
  tooManyDrafts: 'Has alcanzado el máximo de {max} borradores',
  tooManyFiles: 'Has alcanzado el máximo de {max} archivos en borradores',
};

export const bookmarks: Catalogue['bookmarks'] = {
  notBookmarked: 'incluye una publicación que no está en tus marcadores',
  searchTooLong: 'supera el máximo de {max} caracteres y {maxWords} palabras',
  tooManyFolders: 'Has alcanzado el máximo de {max} carpetas de marcadores',
};

export const polls: Catalogue['polls'] = {
  alreadyVoted: 'Ya has votado en esta encuesta',
  duplicateOptions: 'Hay opciones repetidas',
  ended: 'La encuesta ya ha terminado',
  optionTooLong: 'Cada opción puede tener como máximo {max} caracteres',
  ownPoll: 'No puedes votar en tus propias encuestas',
  tooFewOptions: 'Debe haber más de una opción',
  tooManyOptions: 'No puede haber más de {max} opciones',
  unknownChoice: 'La opción elegida no existe',
};

export const media: Catalogue['media'] = {
  attachmentFailed: 'No se pueden adjuntar archivos que no se han podido procesar',
  attachmentInUse: 'El archivo adjunto se está usando en una publicación',
  attachmentNotReady:
    'No se pueden adjuntar archivos que aún no se han terminado de procesar. ¡Inténtalo de nuevo en un momento!',
  attachmentUnavailable: 'Uno de los archivos no existe, no es tuyo o ya se usa en otra publicación',
  animationNotConvertible: 'Este servidor no puede convertir imágenes animadas de este tipo o duración',
  animationTooLarge: 'No se admiten imágenes animadas de {width}x{height}',
  audioNotConvertible: 'Este servidor no puede convertir audio de este tipo',
  busy: 'Se están procesando demasiados archivos; inténtalo de nuevo en unos segundos',
  fileTooLarge: 'Error de validación. El archivo debe pesar menos de 16 MB',
  gifNotConvertible: 'Este servidor no puede convertir archivos GIF con tantos fotogramas',
  gifTooLarge: 'No se admiten archivos GIF de {width}x{height}',
  heicUnsupported: 'Este servidor no puede leer imágenes HEIC',
  imageTooLarge: 'No se admiten imágenes de {width}x{height}',
  mixedAttachments: 'No se puede adjuntar un vídeo o un audio junto con otros archivos',
  processingFailed: 'No se ha podido procesar el archivo subido',
  rangeNotSatisfiable: 'El intervalo solicitado no está disponible',
  sourceGone: 'el archivo original ya no existe',
  thumbnailTooLarge: 'Error de validación. La miniatura debe pesar menos de 16 MB',
  tooLong: 'No se admiten archivos de más de 4 horas',
  tooManyAttachments: 'No se pueden adjuntar más de {max} archivos',
  unverifiedType: 'No se ha podido verificar el tipo del archivo subido',
  videoFrameRate: 'No se admiten vídeos de {rate} fotogramas por segundo',
  videoNotConvertible: 'Este servidor no puede convertir vídeos de este tipo',
  videoTooLarge: 'No se admiten vídeos de {width}x{height}',
  videoTooManyFrames: 'No se admiten vídeos de más de {max} fotogramas',
};

export const emojis: Catalogue['emojis'] = {
  exists: 'Ya existe un emoji :{shortcode}:',
  invalidShortcode: 'El código corto debe tener entre 2 y 128 letras, números o guiones bajos',
  notLocal: 'Solo se pueden modificar los emojis locales',
  notRemote: 'Solo se pueden copiar los emojis de otros servidores',
  tooMany: 'Demasiados emojis a la vez: como máximo {max}',
  unknown: 'No existe ningún emoji :{shortcode}:',
};

export const hashtags: Catalogue['hashtags'] = {
  tooManyFeatured: 'Ya has destacado el número máximo de etiquetas',
};

export const filters: Catalogue['filters'] = {
  severalKeywords:
    'Estos parámetros afectan a más de una palabra clave del filtro y no se pueden cambiar con esta versión de la API',
  statusTaken: 'La publicación ya está en este filtro',
  tooManyCharacters: 'Has alcanzado el número máximo de caracteres en las palabras clave de los filtros ({max})',
  tooManyFilters: 'Has alcanzado el número máximo de filtros ({max})',
  tooManyKeywords: 'Has alcanzado el número máximo de palabras clave en los filtros ({max})',
  tooManyStatuses: 'Has alcanzado el número máximo de publicaciones filtradas ({max})',
};

export const search: Catalogue['search'] = {
  busy: 'Hay demasiadas búsquedas en curso; inténtalo de nuevo en unos segundos',
  pagingNeedsSignIn: 'No se puede pasar de página en los resultados de búsqueda sin iniciar sesión',
  positivePaging: 'Los valores de `offset` y `limit` deben ser positivos',
  resolvingNeedsSignIn: 'No se puede buscar en otros servidores sin iniciar sesión',
  tooSlow: 'Esta búsqueda tarda demasiado; prueba con menos palabras o con palabras menos frecuentes',
};

export const translation: Catalogue['translation'] = {
  quotaUsedUp: 'Se ha agotado la cuota de traducciones de este servidor. Inténtalo de nuevo más tarde',
  rateLimited: 'El servicio de traducción ha recibido demasiadas solicitudes. Inténtalo de nuevo más tarde',
};
