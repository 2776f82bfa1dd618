/** Counts the pages of one list: a vendor that pages in circles must end some time. */
export class PageCount {
  readonly #max: number
  readonly #failure: (reason: string) => Error
  readonly #list: string
  #pages = 0

  /** `list` as in "it has more than 200 pages of orders", which is the reason that `failure` makes a sentence of. */
  constructor(max: number, list: string, failure: (reason: string) => Error) {
    this.#max = max
    this.#list = list
    this.#failure = failure
  }

  next(): void {
    if (++this.#pages > this.#max)
      throw this.#failure(`it has more than ${this.#max.toLocaleString('en-US')} pages of ${this.#list}`)
  }
}
