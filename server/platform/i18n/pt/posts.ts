import type { Catalogue } from '../catalogue.ts';

export const statuses: Catalogue['statuses'] = {
  boostPrivate: 'Uma publicação privada não pode ser impulsionada',
  editBoost: 'Um impulso não pode ser editado',
  editPending: 'Uma resposta que aguarda aprovação não pode ser editada',
  favouriteNotPermitted: 'O autor desta publicação não permite que você a favorite',
  noConversation: 'A publicação não pertence a nenhuma conversa',
  nothingToQuote: 'A publicação a ser citada não existe',
  pinBoost: 'Um impulso não pode ser fixado',
  pinDirect: 'Publicações visíveis apenas para usuários mencionados não podem ser fixadas',
  pinForeign: 'Publicações de outras pessoas não podem ser fixadas',
  pollNeedsSignIn: 'Esta enquete não é pública: entre para vê-la',
  quoteBoost: 'Um impulso não pode ser citado',
  quoteUnmentioned: 'Uma publicação direta só pode citar contas que menciona',
  reactionNotPermitted: 'O autor desta publicação não permite que você reaja a ela',
  reblogNotPermitted: 'O autor desta publicação não permite que você a impulsione',
  replyNotPermitted: 'é uma publicação cujo autor não permite que você responda',
  scheduledTooSoon: 'O agendamento precisa ser feito com pelo menos cinco minutos de antecedência',
  textTooLong: 'O texto passa do limite de {max} caracteres',
  threadNeedsApproval: 'é uma publicação cujo autor aprova as respostas: responda com uma única publicação',
  tooManyIds: 'IDs demais: no máximo {max}',
  tooManyPins: 'Você já fixou o número máximo de publicações',
  tooManyReactions: 'Já existem {max} reações',
  tooManyScheduled: 'É possível agendar no máximo {max} publicações',
  tooManyScheduledPerDay: 'É possível agendar no máximo {max} publicações para o mesmo dia',
  unexpectedAccounts: 'A publicação seria enviada a contas inesperadas',
};

export const threads: Catalogue['threads'] = {
  atMost: 'pode ter no máximo {max} itens',
  fieldProblem: '{field}: {problem}',
  notSchedulable: 'não está disponível para threads; agende publicações avulsas com POST /api/v1/statuses',
};

export const drafts: Catalogue['drafts'] = {
  changed: 'O rascunho foi alterado nesse meio-tempo: carregue-o novamente',
  filesUnavailable: 'contém um arquivo que não existe, não é seu ou já está em outra publicação ou rascunho',
  pollTooLong: 'pode ter no máximo {maxOptions} opções de até {maxLength} caracteres cada',
  tooManyDrafts: 'Você atingiu o máximo de {max} rascunhos',
  tooManyFiles: 'Você atingiu o máximo de {max} arquivos em rascunhos',
};

export const bookmarks: Catalogue['bookmarks'] = {
  notBookmarked: 'contém uma publicação que não está nos salvos',
  searchTooLong: 'não pode ter mais de {max} caracteres e {maxWords} palavras',
  tooManyFolders: 'Você atingiu o máximo de {max} pastas de itens salvos',
};

export const polls: Catalogue['polls'] = {
  alreadyVoted: 'Você já votou nesta enquete',
  duplicateOptions: 'Há opções repetidas',
  ended: 'A enquete já terminou',
  optionTooLong: 'As opções não podem ter mais de {max} caracteres cada',
  ownPoll: 'Você não pode votar nas suas próprias enquetes',
  tooFewOptions: 'É preciso haver mais de uma opção',
  tooManyOptions: 'Não pode haver mais de {max} opções',
  unknownChoice: 'A opção escolhida não existe',
};

export const media: Catalogue['media'] = {
  attachmentFailed: 'Não é possível anexar arquivos que não puderam ser processados',
  attachmentInUse: 'O arquivo está sendo usado em uma publicação',
  attachmentNotReady:
    'Não é possível anexar arquivos que ainda estão sendo processados. Tente novamente daqui a pouco!',
  attachmentUnavailable: 'Um dos arquivos não existe, não é seu ou já está em outra publicação',
  animationNotConvertible: 'Este servidor não consegue converter imagens animadas deste tipo ou duração',
  animationTooLarge: 'Imagens animadas de {width}x{height} não são suportadas',
  audioNotConvertible: 'Este servidor não consegue converter áudio deste tipo',
  busy: 'Há arquivos demais sendo processados; tente novamente em alguns segundos',
  fileTooLarge: 'Dados inválidos: Arquivo precisa ter menos de 16 MB',
  gifNotConvertible: 'Este servidor não consegue converter arquivos GIF com tantos quadros',
  gifTooLarge: 'Arquivos GIF de {width}x{height} não são aceitos',
  heicUnsupported: 'Este servidor não consegue ler imagens HEIC',
  imageTooLarge: 'Imagens de {width}x{height} não são aceitas',
  mixedAttachments: 'Um vídeo ou áudio não pode ser anexado junto com outros arquivos',
  processingFailed: 'Não foi possível processar a mídia enviada',
  rangeNotSatisfiable: 'O intervalo solicitado não está disponível',
  sourceGone: 'o arquivo de origem não existe mais',
  thumbnailTooLarge: 'Dados inválidos: Miniatura precisa ter menos de 16 MB',
  tooLong: 'Arquivos com mais de 4 horas não são aceitos',
  tooManyAttachments: 'Não é possível anexar mais de {max} arquivos',
  unverifiedType: 'Não foi possível verificar o tipo da mídia enviada',
  videoFrameRate: 'Vídeos com {rate} quadros por segundo não são aceitos',
  videoNotConvertible: 'Este servidor não consegue converter vídeos deste tipo',
  videoTooLarge: 'Vídeos de {width}x{height} não são aceitos',
  videoTooManyFrames: 'Vídeos com mais de {max} quadros não são aceitos',
};

export const emojis: Catalogue['emojis'] = {
  exists: 'Já existe um emoji :{shortcode}:',
  invalidShortcode: 'O código de atalho precisa ter de 2 a 128 letras, números ou underlines',
  notLocal: 'Só emojis locais podem ser alterados',
  notRemote: 'Só emojis de outros servidores podem ser copiados',
  tooMany: 'Emojis demais de uma vez: no máximo {max}',
  unknown: 'Não existe um emoji :{shortcode}:',
};

export const hashtags: Catalogue['hashtags'] = {
  tooManyFeatured: 'Você já destacou o número máximo de hashtags',
};

export const filters: Catalogue['filters'] = {
  severalKeywords:
    'Estes parâmetros se aplicam a mais de uma palavra-chave do filtro e não podem ser alterados com esta versão da API',
  statusTaken: 'A publicação já está neste filtro',
  tooManyCharacters: 'Você atingiu o número máximo de caracteres em palavras-chave de filtros ({max})',
  tooManyFilters: 'Você atingiu o número máximo de filtros ({max})',
  tooManyKeywords: 'Você atingiu o número máximo de palavras-chave de filtros ({max})',
  tooManyStatuses: 'Você atingiu o número máximo de publicações filtradas ({max})',
};

export const search: Catalogue['search'] = {
  busy: 'Há pesquisas demais em andamento; tente novamente em alguns segundos',
  pagingNeedsSignIn: 'É preciso entrar para avançar nas páginas de resultados da pesquisa',
  positivePaging: 'Os valores de `offset` e `limit` precisam ser positivos',
  resolvingNeedsSignIn: 'É preciso entrar para pesquisar em outros servidores',
  tooSlow: 'Esta pesquisa está demorando demais; tente com menos palavras ou palavras mais raras',
};

export const translation: Catalogue['translation'] = {
  quotaUsedUp: 'A cota de tradução deste servidor acabou. Tente novamente mais tarde',
  rateLimited: 'O serviço de tradução recebeu solicitações demais. Tente novamente mais tarde',
};
