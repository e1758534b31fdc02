/**
 * Messages with parameters and plurals, in the notation of ICU as far as we need it:
 * `{name}`, and `{count, plural, one {# card} few {…} other {# cards}}`.
 */

export type Params = Readonly<Record<string, string | number>>;

type Part = string | { name: string } | { name: string; forms: Map<string, Part[]> } | { hash: true };

class Parser {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  parts(inPlural: boolean): Part[] {
    const parts: Part[] = [];
    let plain = '';
    const flush = () => {
      if (plain) parts.push(plain);
      plain = '';
    };
    for (; this.at < this.text.length; this.at += 1) {
      const char = this.text[this.at]!;
      if (char === '}') break;
      if (char === '{') {
        flush();
        this.at += 1;
        parts.push(this.#slot());
      } else if (char === '#' && inPlural) {
        flush();
        parts.push({ hash: true });
      } else plain += char;
    }
    flush();
    return parts;
  }

  #slot(): Part {
    const name = this.#until(/[,}]/).trim();
    if (this.text[this.at] === '}') return { name };
    this.at += 1;
    if (this.#until(/,/).trim() !== 'plural') throw new Error(`not a plural: ${this.text}`);
    this.at += 1;
    const forms = new Map<string, Part[]>();
    while (this.at < this.text.length) {
      const form = this.#until(/[{}]/).trim();
      if (this.text[this.at] === '}') break;
      this.at += 1;
      forms.set(form, this.parts(true));
      this.at += 1;
    }
    if (!forms.has('other')) throw new Error(`a plural without 'other': ${this.text}`);
    return { name, forms };
  }

  #until(stop: RegExp): string {
    const start = this.at;
    while (this.at < this.text.length && !stop.test(this.text[this.at]!)) this.at += 1;
    return this.text.slice(start, this.at);
  }
}

const parsed = new Map<string, Part[]>();

function partsOf(text: string): Part[] {
  let parts = parsed.get(text);
  if (!parts) parsed.set(text, (parts = new Parser(text).parts(false)));
  return parts;
}

function render(parts: Part[], params: Params, language: string, count: number): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('hash' in part) return number(count, language);
      const value = params[part.name];
      if (!('forms' in part)) return typeof value === 'number' ? number(value, language) : (value ?? '');
      const many = Number(value);
      const exact = part.forms.get(`=${many}`);
      const form = exact ?? part.forms.get(pluralsOf(language).select(many));
      return render(form ?? part.forms.get('other')!, params, language, many);
    })
    .join('');
}

/** Our Portuguese is that of Portugal, whose plurals differ from Brazil's: "0 cartas", not "0 carta". */
const locale = (language: string): string => (language === 'pt' ? 'pt-PT' : language);

export function number(value: number, language: string): string {
  // A small whole number is written alike in all our languages.
  const text = Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : numbersOf(language).format(value);
  return text.replace('-', '−');
}

/** The rules of a language, made once: making them takes longer than everything else in a message. */
const numbersOf = once((language) => new Intl.NumberFormat(locale(language)));
const pluralsOf = once((language) => new Intl.PluralRules(locale(language)));

function once<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    let found = made.get(language);
    if (found === undefined) made.set(language, (found = make(language)));
    return found;
  };
}

/** Return a message with its parameters filled in. */
export function format(text: string, params: Params, language: string): string {
  return render(partsOf(text), params, language, 0);
}

/** Return the names of the parameters that a message uses, and the plural forms that it has. */
export function analyse(text: string): { names: Set<string>; plurals: Map<string, Set<string>> } {
  const names = new Set<string>();
  const plurals = new Map<string, Set<string>>();
  const walk = (parts: Part[]) => {
    for (const part of parts) {
      if (typeof part === 'string' || 'hash' in part) continue;
      names.add(part.name);
      if ('forms' in part) {
        plurals.set(part.name, new Set(part.forms.keys()));
        for (const form of part.forms.values()) walk(form);
      }
    }
  };
  walk(partsOf(text));
  return { names, plurals };
}
