/** Reads a JSON document in pieces: the items of one of its lists one by one, and the rest of it as a whole. */

export class JsonItems {
  readonly #list: string;
  #state: 'before' | 'inside' | 'after' = 'before';
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Text that is not used up yet, and how far it was looked at. */
  #text = '';
  #looked = 0;
  #itemAt = -1;
  #stringAt = -1;
  #lastString = '';
  #around = '';

  /** @param list the name of the list, a member of the outermost object */
  constructor(list: string) {
    this.#list = list;
  }

  /** Has the list begun? Then everything before it is known. */
  get hasBegun(): boolean {
    return this.#state !== 'before';
  }

  /** Everything but the items, closed so that it can be parsed on its own. */
  get head(): string {
    return this.#state === 'before' ? this.#around + this.#text : `${this.#around}]}`;
  }

  /** The items that are complete with this piece, as text. */
  feed(piece: string): readonly string[] {
    this.#text += piece;
    const items: string[] = [];
    for (; this.#looked < this.#text.length; this.#looked += 1)
      this.#look(this.#text.charCodeAt(this.#looked), items);
    this.#forget();
    return items;
  }

  /** Is the document whole? */
  end(): boolean {
    return this.#depth === 0 && !this.#inString && this.#state !== 'inside';
  }

  #look(code: number, items: string[]): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#endString();
      return;
    }
    switch (code) {
      case QUOTE:
        this.#inString = true;
        this.#stringAt = this.#looked;
        return;
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (
          this.#state === 'before' &&
          this.#depth === 1 &&
          code === OPEN_LIST &&
          this.#lastString === this.#list
        ) {
          this.#around += this.#text.slice(0, this.#looked + 1);
          this.#cut(this.#looked + 1);
          this.#state = 'inside';
        } else if (this.#state === 'inside' && this.#depth === 2) this.#itemAt = this.#looked;
        this.#depth += 1;
        return;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#depth -= 1;
        if (this.#state !== 'inside') return;
        if (this.#depth === 2) {
          items.push(this.#text.slice(this.#itemAt, this.#looked + 1));
          this.#cut(this.#looked + 1);
          this.#itemAt = -1;
        } else if (this.#depth === 1) this.#state = 'after';
        return;
      default:
    }
  }

  #endString(): void {
    this.#inString = false;
    if (this.#state === 'before') this.#lastString = this.#text.slice(this.#stringAt + 1, this.#looked);
  }

  #cut(at: number): void {
    this.#text = this.#text.slice(at);
    this.#looked -= at;
  }

  /** Between items and after the list there is nothing to keep. */
  #forget(): void {
    if (this.#state === 'after' || (this.#state === 'inside' && this.#itemAt < 0))
      this.#cut(this.#text.length);
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
