/** The words of the catalogues: those of docs/glossary.md, one for each thing, well set. */
import { describe, expect, test } from 'vitest';
import { analyse, format } from '../../../src/i18n/message.ts';
import { catalogues, pluralForms } from '../../support/catalogues.ts';

type Texts = Record<string, string>;
const { es, pt, ro } = catalogues as Record<'es' | 'pt' | 'ro', Texts>;
const languages = Object.keys(catalogues);
const others = languages.filter((language) => language !== 'en');

/** Whole words of any alphabet: \b knows the letters of English only. */
const word = (source: string): RegExp => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu');

/** Words that are wrong here, and what the glossary says instead. */
const FORBIDDEN: Record<string, readonly [string, string][]> = {
  en: [
    ['gray|color|colors|colored|center|favorite|traveler', 'grey, colour and other British spellings'],
    ['carriages?|wagons?', 'train'],
    ['buys?', 'claim, pay for'],
    ['takes? (it|them) off', 'subtracts'],
    ['digs?', 'tunnels'],
    ['tickets of', '{name}’s tickets'],
    ['(draws?|drew) (a card )?face down', 'draw from the deck'],
  ],
  es: [
    ['rutas?(?! continua)', 'recorrido (ruta only in ruta continua)'],
    ['tom(ar|a|as|ó|aría|ada|ado|arla|arlo)', 'cubrir a route, robar a card'],
    ['tren(es)?', 'vagones'],
    ['cog(er|e|es|ió)', 'robar'],
    ['mezcl(a|as|ar|aron)', 'barajar, barajado'],
    ['boca (arriba|abajo)', 'bocarriba, bocabajo'],
    ['última ronda', 'ronda final'],
    ['usted(es)?|vuestr[ao]s?', 'tú'],
  ],
  pt: [
    ['vagão|vagões', 'carruagem'],
    ['(?<!outra |primeira |em )vez', 'turno'],
    ['rodadas?', 'turno'],
    ['(por|nesta|última|#) jogadas?', 'turno'],
    ['última ronda', 'ronda final'],
    ['tom(ar|a|as|ou|aria|ada|á-la)', 'construir'],
    ['tir(ar|a|as|ou|aria|aste)', 'biscar'],
    ['(copiar a|uma|com a) ligação|ligação para', 'link (ligação is the connection)'],
    ['desligad[ao]|ligação perdida', 'sem ligação'],
    ['do baralhar', 'baralhamento'],
    ['caminho(?! contínuo)|rota (contínua|mais longa)', 'caminho contínuo mais longo'],
    ['logo', 'de imediato'],
    ['você|trem|tela|usuário|pegar', 'as in Portugal'],
  ],
  ro: [
    ['tur(ul|uri|urile|ului)?', 'tură, ture'],
    ['(ocupă|ocupa|a ocupat)(?! locul)|deja ocupată', 'a construi'],
    ['tren(ul|uri|urile)?', 'vagon, vagoane'],
    ['spați[ui]', 'câmp, câmpuri'],
    ['decart(ate|ările)', 'cărți puse deoparte'],
    ['(ne)?îndeplinite?', 'realizat'],
    ['lui', 'a name without an article'],
    ['ultima rundă', 'runda finală'],
    ['indiciu', 'sugestie'],
    ['privește|privi', 'urmărește'],
    ['angajament(ul)?', 'amprentă'],
    ['pe loc', 'în direct'],
    ['\\p{L}*[şţ]\\p{L}*', 'written with comma below: ș, ț'],
    ['dumneavoastră|vă rugăm', 'tu'],
  ],
  de: [
    ['waggone|wagons?|wagen', 'Waggon, Waggons'],
    ['routen?|linien', 'Strecke'],
    ['tickets?|aufträge?|auftragskarten?', 'Zielkarte'],
    ['loks?', 'Lokomotive'],
    ['beanspruch\\p{L}*', 'bauen'],
    ['landkarten?|spielbrett|brett', 'Spielplan, Plan'],
    ['film(e|s|en)?', 'Replay'],
    ['hinweise?', 'Tipp (a hint), Mitteilung (a notice)'],
    ['(?<!letzten? )runden?', 'Zug (only: letzte Runde)'],
    ['ablage|abwurf\\p{L}*', 'Ablagestapel'],
    ['lila|pink\\p{L}*', 'violett, rosa'],
    ['ihnen|bitte sie', 'du'],
  ],
  fr: [
    ['vous|votre|vos', 'tu'],
    ['tickets?|objectifs?', 'destination'],
    ['itinéraires?', 'trajet'],
    ['tir(er|es?|é|ée|ées)', 'piocher'],
    ['talon|paquet|deck', 'pioche'],
    ['rebut', 'défausse'],
    ['accomplie?s?|complét(é|ée|ées|er)', 'réussie'],
    ['films?', 'replay'],
    ['puzzles?|casse-tête|indices?', 'énigme, conseil'],
    ['manches?', 'tour'],
    ['sièges?', 'place'],
  ],
  it: [
    ['rott[ae]', 'tratta'],
    ['tren[oi](?! è in ritardo)', 'vagone'],
    ['reclam\\p{L}*|rivendic\\p{L}*|conquist\\p{L}*', 'occupare'],
    ['galleri[ae]', 'tunnel'],
    ['percors[oi](?! più lung)', 'itinerario'],
    ['mischi\\p{L}*', 'mescolare'],
    ['film(at[oi])?', 'replay'],
    ['suggeriment[oi]|indizi[o]?', 'consiglio'],
    ['vostr[oaei]', 'tu'],
    ['seduto|seduta|tornato|tornata|andato via', 'words that suit everybody'],
  ],
  nl: [
    ['treinen|treintjes?|wagonnetjes?', 'wagon'],
    ['(bestemmings|opdracht|route)kaart(en)?|kaartjes?', 'ticket'],
    ['vakjes?|veld(en)?', 'vak'],
    ['uw?', 'je'],
    ['ferry(’s)?|veerpont(en)?', 'veerboot'],
    ['trajecten?|traject|spoorlijn(en)?', 'route'],
    ['landkaart(en)?|speelbord', 'bord'],
    ['pakt?|pakken|gepakt', 'trekken, nemen'],
    ['ongedaan', 'terugdraaien'],
    ['slotronde|eindronde', 'laatste ronde'],
    ['behaalde?|vervulde?', 'voltooid'],
  ],
  pl: [
    ['połączeń|(utwórz|utworzyć) połączenie', 'trasa (połączenie is the connection)'],
    ['wagon(y|ów|u|ami|em)?', 'wagonik'],
    ['pociąg(i|ów|u|ami)', 'wagonik'],
    ['stacj(a|i|ę|e|ą)(?! końcowa)', 'dworzec'],
    ['wylosuj|dociąg\\p{L}*', 'dobrać'],
    ['weź|wziąć|bierz(e|esz)', 'dobrać, zachować'],
    ['zatrzym(aj|ać|ujesz|uje)', 'zachować'],
    ['(ukończ|wypełni|spełni)\\p{L}*', 'zrealizować'],
    ['podpowied\\p{L}*', 'rada'],
    ['film\\p{L}*', 'powtórka'],
    ['\\p{L}+(łeś|łaś)|Pan(a|i|u)?|Państw\\p{L}*', 'ty, without a gendered past'],
  ],
};

const failing = (language: string, isWrong: (text: string, key: string) => unknown): string[] =>
  Object.entries(catalogues[language]!).flatMap(([key, text]) => (isWrong(text, key) ? [`${key}: ${text}`] : []));

describe('the words', () => {
  for (const [language, words] of Object.entries(FORBIDDEN)) {
    test.each(words)(`${language}: not %s, but %s`, (wrong) => {
      expect(failing(language, (text) => word(wrong).test(text.replace(/\{\w+/g, '{')))).toEqual([]);
    });
  }

  test('of the rulebooks are used', () => {
    expect(es['prompt.turn']).toBe('Roba cartas, cubre un recorrido o roba billetes');
    expect(pt['prompt.turn']).toBe('Bisca cartas, constrói uma rota ou bisca bilhetes');
    expect(ro['prompt.turn']).toBe('Trage cărți, construiește o rută sau trage bilete');
    expect([es, pt, ro].map((texts) => texts['players.trains'])).toEqual(['Vagones', 'Carruagens', 'Vagoane']);
    expect([es, pt, ro].map((texts) => texts['tie.longest'])).toEqual([
      'ruta continua más larga',
      'caminho contínuo mais longo',
      'cea mai lungă rută continuă',
    ]);
  });

  test('agree with what they count', () => {
    const say = (texts: Record<string, string>, language: string) => (key: string, count: number) =>
      format(texts[key]!, { count }, language);
    expect(say(es, 'es')('cards.black', 3)).toBe('3 cartas negras');
    expect(say(es, 'es')('spaces.red', 4)).toBe('4 espacios rojos');
    expect(say(es, 'es')('cards.purple@usa', 1)).toBe('1 carta rosa');
    expect(say(pt, 'pt')('cards.blue', 2)).toBe('2 cartas azuis');
    expect(say(ro, 'ro')('cards.black', 1)).toBe('1 carte neagră');
    expect(say(ro, 'ro')('cards.black', 21)).toBe('21 de cărți negre');
    expect(say(ro, 'ro')('spaces.black', 6)).toBe('6 câmpuri negre');
  });

  test.each(languages)('%s is well set', (language) => {
    expect(failing(language, (text) => /['"]|\.\.\.|^ | $| {2}| [,.;:!?]/.test(text))).toEqual([]);
    if (language === 'fr')
      expect(failing('fr', (text) => /[^\u202f\u00a0][;!?:](?!\S)|«[^\u202f\u00a0]/.test(text))).toEqual([]);
    if (language === 'es') expect(failing('es', (text) => /^[^¿]*\?|^[^¡]*!/.test(text))).toEqual([]);
  });

  test.each(others)('%s begins and ends its texts as English does', (language) => {
    // A point behind a word or two belongs to an abbreviation.
    const end = (text: string) => (text.length < 10 || /\p{Lu}\.$/u.test(text) ? /[:?…]?$/ : /[.:?…]?$/).exec(text)![0];
    const isSmall = (text: string) => /^\p{Ll}/u.test(text);
    expect(failing(language, (text, key) => end(text) !== end(catalogues.en![key]!))).toEqual([]);
    expect(
      failing(
        language,
        (text, key) =>
          isSmall(text) !== isSmall(catalogues.en![key]!) &&
          !/^\{/.test(catalogues.en![key]!) &&
          !(language === 'de' && !isSmall(text)), // a noun
      ),
    ).toEqual([]);
  });
});

describe('the plurals', () => {
  test.each(languages)('%s has every form of the numbers that can occur', (language) => {
    const forms = pluralForms(language);
    expect(
      failing(language, (text) =>
        [...analyse(text).plurals.values()].some((has) => !forms.every((form) => has.has(form))),
      ),
    ).toEqual([]);
  });

  test('are plurals in every language or in none', () => {
    const counted = (text: string) => [...analyse(text).plurals.keys()].length > 0;
    // Words such as "left" do not change in English.
    const alike = new Set(['display.draw', 'display.tickets', 'station.button']);
    for (const language of others) {
      expect(
        failing(language, (text, key) => !alike.has(key) && counted(text) !== counted(catalogues.en![key]!)),
      ).toEqual([]);
    }
  });

  test('Romanian says "de" from twenty on', () => {
    const points = (count: number) => format(ro['route.points']!, { count }, 'ro');
    expect([1, 2, 19, 20, 21, 100, 101, 119, 120].map(points)).toEqual([
      '1 punct',
      '2 puncte',
      '19 puncte',
      '20 de puncte',
      '21 de puncte',
      '100 de puncte',
      '101 puncte',
      '119 puncte',
      '120 de puncte',
    ]);
    const forms = (text: string, form: string) =>
      [...text.matchAll(new RegExp(`${form} \\{([^}]*)\\}`, 'g'))].map((match) => match[1]!);
    expect(
      failing('ro', (text) =>
        forms(text, 'few').some((few, at) => forms(text, 'other')[at] !== few.replace(/# (?=\p{L})/u, '# de ')),
      ),
    ).toEqual([]);
  });

  test('Portuguese counts as in Portugal: none is many', () => {
    expect([0, 1, 2].map((count) => format(pt['hand.title']!, { count }, 'pt'))).toEqual([
      'A tua mão: 0 cartas',
      'A tua mão: 1 carta',
      'A tua mão: 2 cartas',
    ]);
  });
});
