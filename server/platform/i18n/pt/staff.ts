import type { Catalogue } from '../catalogue.ts';

export const moderation: Catalogue['moderation'] = {
  appeal: 'Pedir revisão',
  appealApproved: 'A equipe aprovou seu pedido de revisão. A decisão foi desfeita.',
  appealApprovedDeleted:
    'A equipe aprovou seu pedido de revisão. A decisão não conta mais. As publicações excluídas não podem ser restauradas.',
  appealPending: 'Você pediu a revisão desta decisão. A equipe vai responder por e-mail.',
  appealRejected: 'A equipe rejeitou seu pedido de revisão.',
  appealText: 'Por que a decisão está errada',
  disabled: 'Sua conta foi desativada',
  jobUnchangeable: 'A tarefa está em execução ou não falhou',
  noStrikes: 'Não há nenhuma.',
  sensitized: 'Todas as mídias da sua conta são exibidas como sensíveis',
  silenced: 'Sua conta foi limitada',
  statusesDeleted: 'Publicações suas foram excluídas',
  statusesSensitized: 'Publicações suas foram marcadas como sensíveis',
  strikesTitle: 'Decisões da equipe sobre sua conta',
  suspended: 'Sua conta foi suspensa',
  warned: 'Você recebeu um aviso',
  appealDecided: 'O pedido de revisão já foi decidido',
  appealedBefore: 'A revisão desta decisão já foi pedida',
  appealTooLate: 'Não é mais possível pedir a revisão da decisão: já se passaram {days} dias',
  suspendFirst: 'Só é possível excluir contas suspensas pela equipe: suspenda a conta primeiro',
};

export const heldPosts: Catalogue['heldPosts'] = {
  decided: 'Isso já foi decidido',
  tooMany: 'Você já tem publicações demais aguardando análise',
  unpublishable:
    'A publicação não pode mais ir ao ar: o autor está suspenso, ou a publicação à qual ela responde foi excluída',
};

export const moderationRules: Catalogue['moderationRules'] = {
  followRefused: 'Uma regra de moderação deste servidor não permite seguir esta conta',
  notBlurhash: 'precisa conter BlurHashes, como nos anexos de uma publicação',
  notForSubject: 'não se aplica a regras de {subject}',
  onlyForPosts: 'só pode conter {name} em regras para publicações',
  onlyPostsTried: 'Só regras para publicações podem ser testadas',
  trialRuns: 'Outro teste da regra está em andamento',
  postRefused: 'Uma regra de moderação deste servidor não permite esta publicação',
  signUpRefused: 'Uma regra de moderação deste servidor não permite esta inscrição',
  tooMany: 'Regras de moderação demais: no máximo {max}',
  tooManyCharacters: 'As palavras-chave de todas as regras têm caracteres demais: no máximo {max}',
  unknownCondition: 'não é uma condição conhecida',
};

export const hosts: Catalogue['hosts'] = {
  paused: 'As entregas para {domain} estão pausadas: retome-as primeiro',
};

export const relays: Catalogue['relays'] = {
  domainBlocked: 'Não há troca de publicações com {domain}: remova o bloqueio primeiro',
  known: 'Este repetidor já está na lista: {url}',
  tooMany: 'Você atingiu o número máximo de repetidores ({max})',
  urlLocal: 'não pode ser um endereço deste servidor',
  urlNotPublic: 'precisa ser um endereço https em um host público e na porta padrão',
};

export const reports: Catalogue['reports'] = {
  ownAccount: 'Você não pode denunciar sua própria conta',
  unknownRules: 'As regras informadas não existem',
};

export const measures: Catalogue['measures'] = {
  archives: 'Arquivos de dados das contas',
  customEmojis: 'Emojis personalizados',
  mediaCache: 'Cache de mídia de outros servidores',
  profileImages: 'Imagens de perfil e capas',
  siteImages: 'Imagens do site',
  valkey: 'Valkey',
  mediaStorage: 'Armazenamento de mídia',
  tooManyKeys: 'Há chaves demais (máximo de {max})',
  unknownLanguage: 'Idioma desconhecido',
  website: 'Site',
};

export const site: Catalogue['site'] = {
  alreadyAnnounced: 'Os usuários já foram avisados desta versão',
  unknownLanguage: 'Código de idioma desconhecido: {code}',
};

export const webhooks: Catalogue['webhooks'] = {
  badTemplate: 'tem uma variável inválida: {text}',
  disabled: 'O webhook está desativado: ative-o primeiro',
  missingPermission: 'O evento {event} exige a permissão {permission}',
  missingScope: 'O evento {event} exige o escopo {scope}',
  needsApp: 'Somente aplicativos podem criar webhooks: use um token de acesso',
  tooMany: 'Você atingiu o número máximo de webhooks ({max})',
  tooManyVariables: 'pode ter no máximo {max} variáveis',
  urlLocal: 'não pode ser um endereço deste servidor',
  urlNotPublic: 'precisa ser um endereço https em um host público e na porta padrão',
};

export const invites: Catalogue['invites'] = {
  invalid: 'Este convite já foi usado por completo ou expirou',
  isInvalid: 'já foi usado por completo ou expirou',
  create: 'Criar o convite',
  expiresAt: 'Expira em {date}.',
  expiresIn: 'Expira em',
  hint: 'Com o link, as pessoas podem criar uma conta mesmo quando as inscrições estão fechadas.',
  hintApproval:
    'Com o link, as pessoas podem criar uma conta mesmo quando as inscrições estão fechadas. A equipe aprova cada inscrição.',
  maxUses: 'Número de pessoas',
  never: 'Nunca',
  newTitle: 'Novo convite',
  none: 'Você não tem convites.',
  outOfRange: 'precisa ser um número inteiro de 1 a {max}',
  revoke: 'Revogar',
  revokeOf: 'Revogar o convite {code}',
  title: 'Convites',
  tooMany: 'Você atingiu o número máximo de convites ({max})',
  unlimited: 'Sem limite',
  usedCount: { one: '{count} pessoa se inscreveu.', other: '{count} pessoas se inscreveram.' },
  usedOf: 'Usado por {uses} de {max}.',
  uses: { one: '{count} pessoa', other: '{count} pessoas' },
};

export const announcements: Catalogue['announcements'] = {
  allDayNeedsTimes: 'Um evento de dia inteiro precisa de início e término',
  alreadyReacted: 'Você já reagiu com este emoji',
  tooManyReactions: 'O limite de reações diferentes foi atingido',
};
