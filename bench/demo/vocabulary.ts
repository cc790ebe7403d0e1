export const givenNames =
  'Ada Aino Amir Anaïs Anton Aoife Bela Bruno Carla Chidi Clara Dag Dana Diego Elif Elsa Emeka Enzo Esra Farah Finn Freya Gil Greta Hana Hugo Ida Ilya Imani Ines Ivo Jana Jin Joao Jonas Kaia Kenji Lale Lea Leo Lena Luca Mai Malik Mara Marek Mei Mina Nadia Nils Noor Nora Ola Omar Otto Paula Petra Quinn Rafa Rosa Runa Sami Sana Sol Suki Tara Theo Tilda Timur Ulla Vera Victor Wanda Yara Yuki Zoe'.split(
    ' ',
  );

export const birds =
  'Avocet Bittern Brambling Bullfinch Bunting Buzzard Chough Coot Crane Curlew Dipper Dotterel Dunlin Dunnock Egret Eider Firecrest Fulmar Gannet Goldcrest Goosander Grebe Harrier Heron Hobby Hoopoe Jackdaw Kestrel Kittiwake Knot Lapwing Linnet Martin Merlin Moorhen Nightjar Nuthatch Oriole Osprey Ouzel Pipit Plover Puffin Redpoll Redstart Robin Rook Ruff Sanderling Serin Shrike Siskin Skylark Snipe Starling Stonechat Swift Teal Tern Turnstone Twite Waxwing Wheatear Whimbrel Whinchat Wigeon Wren Wryneck'.split(
    ' ',
  );

export const remoteHosts =
  'birds.example tides.example moor.example harbour.example orchard.example lantern.example quarry.example meadow.example workshop.example observatory.example library.example allotment.example'.split(
    ' ',
  );

export const tags =
  'birds birding garden photography bread cycling trains books poetry maps typography opensource fediverse music vinyl synths chess hiking climbing rivers weather clouds stars astronomy knitting ceramics printing history archaeology languages linguistics science climate soil bees moths mushrooms trees cats dogs cooking soup tea coffee cheese cinema radio theatre museum drawing watercolour comics games retrocomputing linux typescript postgres accessibility mentalhealth parenting teaching urbanism housing transit coop solar repair zine mailart caturday silentsunday 日本語 写真 Zürich'.split(
    ' ',
  );

interface Language {
  readonly code: string;
  /** Of all posts. */
  readonly share: number;
  readonly openings: readonly string[];
  readonly middles: readonly string[];
  readonly endings: readonly string[];
}

export const languages: readonly Language[] = [
  {
    code: 'en',
    share: 0.64,
    openings: [
      'This morning on the marsh',
      'After three evenings of trying',
      'On the slow train north',
      'Somewhere between breakfast and the rain',
      'For once',
      'At the end of a long week',
      'Halfway up the hill',
      'With the window open',
      'In the back of the shop',
      'Before anybody else was awake',
      'Against all advice',
      'While waiting for the kettle',
    ],
    middles: [
      'I counted forty lapwings and one very patient heron',
      'the sourdough finally rose, and the kitchen smells of it',
      'I read the same page four times and liked it more each time',
      'the old lathe started at the first pull',
      'we found the map that nobody had seen since the flood',
      'the query went from nine seconds to eleven milliseconds',
      'my neighbour lent me a ladder and an opinion',
      'the bees came back, all of them, as if nothing had happened',
      'I learnt that the tower leans because of a badger',
      'the light on the water was worth the cold feet',
      'someone had left a box of letters from 1931',
      'the cat has decided that the printer is hers',
    ],
    endings: [
      'Photos later.',
      'No regrets.',
      'Would do it again tomorrow.',
      'Does anybody know what it is called?',
      'I am told this is normal.',
      'More tea, then on with it.',
      'Thank you all for the hints!',
      'That is all. Good night.',
      'See https://maps.example/walks/12 for the way there.',
      'What are you working on today?',
      '',
      '',
    ],
  },
  {
    code: 'de',
    share: 0.09,
    openings: [
      'Heute früh am Deich',
      'Nach langem Hin und Her',
      'Im Regionalzug nach Süden',
      'Kurz vor dem Regen',
      'Gestern im Garten',
    ],
    middles: [
      'saßen zwölf Stare auf der Leitung und redeten durcheinander',
      'läuft die Nähmaschine wieder, und zwar leise',
      'habe ich das Buch in einem Rutsch gelesen',
      'gab es Pflaumenkuchen für alle, die kamen',
      'hat jemand die alte Brücke neu gestrichen',
    ],
    endings: ['Mehr dazu später.', 'Kennt das jemand?', 'Schönen Abend allerseits!', 'Ohne Worte.', ''],
  },
  {
    code: 'es',
    share: 0.09,
    openings: ['Esta mañana', 'Después de la lluvia', 'En el mercado del barrio', 'Camino del puerto'],
    middles: [
      'vi pasar las grullas por encima de la casa',
      'por fin funciona la radio de mi abuela',
      'encontré un mapa de 1890 por dos monedas',
      'el pan salió mejor que nunca',
    ],
    endings: ['¡Qué alegría!', '¿Alguien más lo ha visto?', 'Mañana, más.', ''],
  },
  {
    code: 'ja',
    share: 0.18,
    openings: [
      '今朝、',
      '雨のあと、',
      '駅前の本屋で、',
      '久しぶりに',
      '今日は朝から、',
      '今日の昼休みに、',
      '帰り道の公園で、',
      '週末の図書館で、',
    ],
    middles: [
      '川辺でカワセミを見たのです。',
      '古い地図を見つけました。',
      '焼きたてのパンを買いました。',
      '友だちと山を歩きました。',
      '編み物の続きをしているところです。',
      '新しい自転車の調子がとてもよかったです。',
      '祖母のラジオがまた鳴るようになりました。',
      '窓から見える富士山がきれいでした。',
      '猫がプリンターの上で眠っています。',
      'データベースの問い合わせが速くなりました。',
    ],
    endings: [
      '写真はまたあとで。',
      'とてもうれしいです。',
      'また明日も行くつもりです。',
      '名前を知っている人はいますか？',
      'コーヒーがおいしい季節ですね。',
      '',
    ],
  },
];

export const contentWarnings = ['food', 'weather, long', 'work', 'spoilers', 'health', 'politics, mild'];

export const profileNotes = [
  'Watches birds, mends clocks.',
  'Bakes bread and writes software, in that order.',
  'Trains, maps, weather. Opinions are borrowed.',
  'Library by day, synthesiser by night.',
  'Here for the gardens and the long threads.',
  'Teacher. Slow cyclist. Fast reader.',
  'Posts mostly about soil.',
  '',
];
