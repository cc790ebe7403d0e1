import type { Catalogue } from '../catalogue.ts';

export const accounts: Catalogue['accounts'] = {
  instanceActor: 'La cuenta del propio servidor no se puede suspender',
  suspendedByDomainBlock: 'La cuenta está suspendida por el bloqueo de su dominio',
  suspendedByOwnServer: 'La cuenta está suspendida por su propio servidor',
};

export const relationships: Catalogue['relationships'] = {
  blockSelf: 'No puedes bloquear tu propia cuenta',
  endorseUnfollowed: 'Solo puedes destacar cuentas que sigues',
  followMoved: 'Esta cuenta se ha mudado y no se puede seguir',
  followOstatus: 'Esta cuenta usa OStatus, un protocolo antiguo, y no se puede seguir',
  followSelf: 'No puedes seguir tu propia cuenta',
  tooManyFollows: 'No puedes seguir más de {max} cuentas',
  tooManyRequested: 'Se pueden solicitar como máximo {max} cuentas a la vez',
};

export const archives: Catalogue['archives'] = {
  running: 'Tu archivo ya se está creando',
  tooSoon: 'Puedes solicitar un archivo cada 7 días. El próximo será posible a partir del {date}',
};

export const imports: Catalogue['imports'] = {
  empty: 'El archivo no tiene líneas',
  notCsv: 'El archivo no es CSV a partir de la línea {line}',
  running: 'Ya hay una importación de este tipo en curso',
  tooLong: 'El archivo tiene más de {max} líneas',
};

export const lists: Catalogue['lists'] = {
  accountNotFollowed: 'Debes seguir la cuenta',
  accountTaken: 'La cuenta ya está en la lista',
  tooManyLists: 'Has alcanzado el número máximo de listas',
};

export const collections: Catalogue['collections'] = {
  accountTaken: 'La cuenta ya está en la colección',
  missingAccountId: 'Falta el parámetro `account_id`',
  notFeaturable: 'Esta cuenta no se puede añadir a colecciones',
  tooMany: 'Has alcanzado el número máximo de colecciones ({max})',
};

export const notifications: Catalogue['notifications'] = {
  invalidExpandAccounts: 'El valor de «expand_accounts» no es válido',
};

export const push: Catalogue['push'] = {
  added_to_collection: '{name} te ha añadido a una colección',
  'admin.report': '{name} ha enviado una denuncia',
  'admin.sign_up': '{name} se ha registrado',
  annual_report: 'Tu resumen del año está listo',
  collection_update: '{name} ha editado una colección en la que estás',
  favourite: '{name} ha marcado como favorita tu publicación',
  follow: '{name} ha empezado a seguirte',
  follow_request: '{name} ha solicitado seguirte',
  mention: '{name} te ha mencionado',
  moderation_warning: 'Has recibido una advertencia de moderación',
  poll: 'Una encuesta de {name} ha terminado',
  quote: '{name} ha citado tu publicación',
  quoted_update: '{name} ha editado una publicación que has citado',
  reblog: '{name} ha impulsado tu publicación',
  severed_relationships: 'Has perdido algunos seguidores y cuentas que seguías',
  status: '{name} acaba de publicar',
  update: '{name} ha editado una publicación que has impulsado',
};

export const domains: Catalogue['domains'] = {
  alreadyBlocked: 'Este dominio ya está bloqueado: lo incluye el bloqueo de {domain}',
  listTooLong: 'La lista tiene más de {max} líneas',
  notCsv: 'La lista no es un CSV a partir de la línea {line}',
  unknownSeverity: 'Severidad desconocida: {severity}',
  knownList: 'Ya hay una suscripción a esta lista: {url}',
  tooManyLists: 'Has alcanzado el número máximo de listas ({max})',
  urlNotPublic: 'debe ser una dirección https de un host público con el puerto habitual',
};

export const streaming: Catalogue['streaming'] = {
  failedUnsubscribe: 'Error al cancelar la suscripción al canal',
  foreignList: 'No tienes autorización para recibir esta lista',
  invalidToken: 'Token de acceso no válido',
  missingList: 'Falta el parámetro con el nombre de la lista',
  missingScope: 'El token de acceso no tiene los permisos necesarios',
  missingTag: 'Falta el parámetro con el nombre de la etiqueta',
  missingToken: 'Falta el token de acceso',
  tooManyConnections: 'Demasiadas conexiones abiertas',
  tooManyStreams: 'Demasiados flujos en esta conexión',
  unknownPath: 'Se ha solicitado un canal desconocido',
  unknownStream: 'Tipo de flujo desconocido',
};
