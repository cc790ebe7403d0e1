import type { Catalogue } from '../catalogue.ts';

export const moderation: Catalogue['moderation'] = {
  appeal: 'Apelar',
  appealApproved: 'El equipo ha aprobado tu apelación. La decisión queda sin efecto.',
  appealApprovedDeleted:
    'El equipo ha aprobado tu apelación. La decisión ya no cuenta. Las publicaciones eliminadas no se pueden recuperar.',
  appealPending: 'Has apelado esta decisión. El equipo te responderá por correo electrónico.',
  appealRejected: 'El equipo ha rechazado tu apelación.',
  appealText: 'Motivo de la apelación',
  disabled: 'Se ha desactivado tu cuenta',
  jobUnchangeable: 'La tarea se está ejecutando o no ha fallado',
  noStrikes: 'No hay ninguna.',
  sensitized: 'Todo el contenido multimedia de tu cuenta se muestra como sensible',
  silenced: 'Se ha limitado tu cuenta',
  statusesDeleted: 'Se han eliminado publicaciones tuyas',
  statusesSensitized: 'Se han marcado como sensibles publicaciones tuyas',
  strikesTitle: 'Decisiones del equipo sobre tu cuenta',
  suspended: 'Se ha suspendido tu cuenta',
  warned: 'Has recibido una advertencia',
  appealDecided: 'La apelación ya se ha resuelto',
  appealedBefore: 'La decisión ya se ha apelado',
  appealTooLate: 'Ya no se puede apelar la decisión: han pasado {days} días',
  suspendFirst: 'Solo se pueden eliminar cuentas suspendidas por el equipo: suspéndela primero',
};

export const heldPosts: Catalogue['heldPosts'] = {
  decided: 'Ya se ha tomado una decisión',
  tooMany: 'Tienes demasiadas publicaciones pendientes de revisión',
  unpublishable:
    'La publicación ya no se puede publicar: su autor está suspendido o se ha eliminado la publicación a la que responde',
};

export const moderationRules: Catalogue['moderationRules'] = {
  followRefused: 'Una regla de moderación de este servidor no permite seguir esta cuenta',
  notBlurhash: 'debe contener BlurHashes como los de los adjuntos de una publicación',
  notForSubject: 'no se puede usar en reglas de tipo {subject}',
  onlyForPosts: 'solo puede incluir {name} en reglas para publicaciones',
  onlyPostsTried: 'Solo se pueden probar las reglas para publicaciones',
  trialRuns: 'Ya hay otra prueba de la regla en curso',
  postRefused: 'Una regla de moderación de este servidor no permite esta publicación',
  signUpRefused: 'Una regla de moderación de este servidor no permite este registro',
  tooMany: 'Demasiadas reglas de moderación: como máximo {max}',
  tooManyCharacters: 'Las palabras clave de todas las reglas tienen demasiados caracteres: como máximo {max}',
  unknownCondition: 'no es una condición conocida',
};

export const hosts: Catalogue['hosts'] = {
  paused: 'Las entregas a {domain} están en pausa: reanúdalas primero',
};

export const relays: Catalogue['relays'] = {
  domainBlocked: 'No se intercambian publicaciones con {domain}: quita antes su bloqueo',
  known: 'Este relé ya está en la lista: {url}',
  tooMany: 'Has alcanzado el número máximo de relés ({max})',
  urlLocal: 'no puede ser una dirección de este servidor',
  urlNotPublic: 'debe ser una dirección https de un host público con el puerto habitual',
};

export const reports: Catalogue['reports'] = {
  ownAccount: 'No puedes denunciar tu propia cuenta',
  unknownRules: 'Las reglas indicadas no existen',
};

export const measures: Catalogue['measures'] = {
  archives: 'Archivos de datos de cuentas',
  customEmojis: 'Emojis personalizados',
  mediaCache: 'Caché multimedia de otros servidores',
  profileImages: 'Fotos de perfil e imágenes de portada',
  siteImages: 'Imágenes del sitio',
  valkey: 'Valkey',
  mediaStorage: 'Almacenamiento multimedia',
  tooManyKeys: 'Hay demasiadas claves (máximo: {max})',
  unknownLanguage: 'Idioma desconocido',
  website: 'Sitio web',
};

export const site: Catalogue['site'] = {
  alreadyAnnounced: 'Ya se ha notificado esta versión a los usuarios',
  unknownLanguage: 'Código de idioma desconocido: {code}',
};

export const webhooks: Catalogue['webhooks'] = {
  badTemplate: 'contiene una variable no válida: {text}',
  disabled: 'El webhook está desactivado: actívalo primero',
  missingPermission: 'El evento {event} requiere el permiso {permission}',
  missingScope: 'El evento {event} requiere el ámbito {scope}',
  needsApp: 'Solo las aplicaciones pueden crear webhooks: usa un token de acceso',
  tooMany: 'Has alcanzado el número máximo de webhooks ({max})',
  tooManyVariables: 'puede tener como máximo {max} variables',
  urlLocal: 'no puede ser una dirección de este servidor',
  urlNotPublic: 'debe ser una dirección https de un host público con el puerto habitual',
};

export const invites: Catalogue['invites'] = {
  invalid: 'Esta invitación se ha agotado o ha caducado',
  isInvalid: 'se ha agotado o ha caducado',
  create: 'Crear la invitación',
  expiresAt: 'Caduca el {date}.',
  expiresIn: 'Caducidad',
  hint: 'Con el enlace, otras personas pueden registrarse incluso cuando el registro está cerrado.',
  hintApproval:
    'Con el enlace, otras personas pueden registrarse incluso cuando el registro está cerrado. El equipo aprueba cada registro.',
  maxUses: 'Número de personas',
  never: 'Nunca',
  newTitle: 'Nueva invitación',
  none: 'No tienes invitaciones.',
  outOfRange: 'debe ser un número entero entre 1 y {max}',
  revoke: 'Revocar',
  revokeOf: 'Revocar la invitación {code}',
  title: 'Invitaciones',
  tooMany: 'Has alcanzado el número máximo de invitaciones ({max})',
  unlimited: 'Sin límite',
  usedCount: { one: 'Se ha registrado {count} persona.', other: 'Se han registrado {count} personas.' },
  usedOf: 'Usada por {uses} de {max} personas.',
  uses: { one: '{count} persona', other: '{count} personas' },
};

export const announcements: Catalogue['announcements'] = {
  allDayNeedsTimes: 'Un evento de todo el día necesita un inicio y un fin',
  alreadyReacted: 'Ya has reaccionado con este emoji',
  tooManyReactions: 'Se ha alcanzado el límite de reacciones diferentes',
};
