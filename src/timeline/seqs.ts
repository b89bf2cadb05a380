/** The numbers of the entries that a list shows, oldest first, without the entries themselves. */

export interface Seqs {
  readonly length: number;
  at(i: number): number;
  /** The place of this number, or of the first one after it. */
  indexOf(seq: number): number;
}

/** Every number from the first to the last. */
export class SeqRange implements Seqs {
  readonly length: number;
  readonly #first: number;

  constructor(first: number, last: number) {
    this.#first = first;
    this.length = Math.max(0, last - first + 1);
  }

  at(i: number): number {
    return this.#first + i;
  }

  indexOf(seq: number): number {
    return Math.min(this.length, Math.max(0, seq - this.#first));
  }
}

/** Numbers one by one, four bytes each. */
export class SeqList implements Seqs {
  #seqs = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(seq: number): void {
    if (this.#length === this.#seqs.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#seqs);
      this.#seqs = longer;
    }
    this.#seqs[this.#length] = seq;
    this.#length += 1;
  }

  at(i: number): number {
    return this.#seqs[i] ?? 0;
  }

  indexOf(seq: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#seqs[middle] ?? Infinity) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A part of others: what they hold from the one number to the other. */
export class SeqSlice implements Seqs {
  readonly length: number;
  readonly #seqs: Seqs;
  readonly #offset: number;

  constructor(seqs: Seqs, first: number, last: number) {
    this.#seqs = seqs;
    this.#offset = seqs.indexOf(first);
    this.length = Math.max(0, seqs.indexOf(last + 1) - this.#offset);
  }

  at(i: number): number {
    return this.#seqs.at(this.#offset + i);
  }

  indexOf(seq: number): number {
    return Math.min(this.length, Math.max(0, this.#seqs.indexOf(seq) - this.#offset));
  }
}
