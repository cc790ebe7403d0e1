import type { Catalogue } from '../catalogue.ts';

export const accounts: Catalogue['accounts'] = {
  instanceActor: 'Le compte du serveur lui-même ne peut pas être suspendu',
  suspendedByDomainBlock: 'Le compte est suspendu en raison du blocage de son domaine',
  suspendedByOwnServer: 'Le compte est suspendu par son propre serveur',
};

export const relationships: Catalogue['relationships'] = {
  blockSelf: 'Vous ne pouvez pas vous bloquer vous-même',
  endorseUnfollowed: 'Vous ne pouvez recommander que des comptes que vous suivez',
  followMoved: 'Ce compte a déménagé et ne peut pas être suivi',
  followOstatus: 'Ce compte utilise OStatus, un ancien protocole : il ne peut pas être suivi',
  followSelf: 'Vous ne pouvez pas vous suivre vous-même',
  tooManyFollows: 'Vous ne pouvez pas suivre plus de {max} comptes',
  tooManyRequested: 'Vous ne pouvez pas demander plus de {max} comptes à la fois',
};

export const archives: Catalogue['archives'] = {
  running: 'Votre archive est déjà en cours de création',
  tooSoon: 'Vous pouvez demander une archive tous les 7 jours. La prochaine sera possible à partir du {date}',
};

export const imports: Catalogue['imports'] = {
  empty: 'Le fichier ne contient aucune ligne',
  notCsv: 'Le fichier n’est pas au format CSV à partir de la ligne {line}',
  running: 'Une importation de ce type est en cours',
  tooLong: 'Le fichier contient plus de {max} lignes',
};

export const lists: Catalogue['lists'] = {
  accountNotFollowed: 'Vous devez suivre ce compte',
  accountTaken: 'Ce compte est déjà dans la liste',
  tooManyLists: 'Vous avez atteint le nombre maximal de listes',
};

export const collections: Catalogue['collections'] = {
  accountTaken: 'Ce compte est déjà dans la collection',
  missingAccountId: 'Le paramètre `account_id` est manquant',
  notFeaturable: 'Ce compte ne peut pas être ajouté à des collections',
  tooMany: 'Vous avez atteint le nombre maximal de collections ({max})',
};

export const notifications: Catalogue['notifications'] = {
  invalidExpandAccounts: 'Valeur non valide pour « expand_accounts »',
};

export const push: Catalogue['push'] = {
  added_to_collection: '{name} vous a ajouté·e à une collection',
  'admin.report': '{name} a envoyé un signalement',
  'admin.sign_up': '{name} s’est inscrit·e',
  annual_report: 'Votre bilan de l’année est prêt',
  collection_update: '{name} a modifié une collection dont vous faites partie',
  favourite: '{name} a ajouté votre message à ses favoris',
  follow: '{name} vous suit',
  follow_request: '{name} a demandé à vous suivre',
  mention: '{name} vous a mentionné·e',
  moderation_warning: 'Vous avez reçu un avertissement de la modération',
  poll: 'Un sondage de {name} est terminé',
  quote: '{name} a cité votre message',
  quoted_update: '{name} a modifié un message que vous avez cité',
  reblog: '{name} a partagé votre message',
  severed_relationships: 'Vous avez perdu des abonnements et des abonné·e·s',
  status: '{name} a publié un message',
  update: '{name} a modifié un message que vous avez partagé',
};

export const domains: Catalogue['domains'] = {
  alreadyBlocked: 'Ce domaine est déjà bloqué, par le blocage de {domain}',
  listTooLong: 'La liste comporte plus de {max} lignes',
  notCsv: 'La liste n’est pas au format CSV à partir de la ligne {line}',
  unknownSeverity: 'Sévérité inconnue : {severity}',
  knownList: 'Vous êtes déjà abonné·e à cette liste : {url}',
  tooManyLists: 'Vous avez atteint le nombre maximal de listes ({max})',
  urlNotPublic: 'doit être une adresse https sur un hôte public et le port habituel',
};

export const streaming: Catalogue['streaming'] = {
  failedUnsubscribe: 'Le désabonnement du canal a échoué',
  foreignList: 'Vous n’avez pas l’autorisation de recevoir le flux de cette liste',
  invalidToken: 'Le jeton d’accès n’est pas valide',
  missingList: 'Le paramètre de la liste est manquant',
  missingScope: 'Le jeton d’accès n’a pas les autorisations nécessaires',
  missingTag: 'Le paramètre du hashtag est manquant',
  missingToken: 'Le jeton d’accès est manquant',
  tooManyConnections: 'Trop de connexions ouvertes',
  tooManyStreams: 'Trop de flux sur cette connexion',
  unknownPath: 'Canal inconnu',
  unknownStream: 'Type de flux inconnu',
};
