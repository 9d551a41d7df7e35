/** A promise of the interface that a journal shows to be broken. */
export interface Violation {
  /** Short name of the promise, such as `handed-over-once`. */
  readonly promise: string
  /** Time of the entry that shows it, in ms. */
  readonly at: number
  /** A sentence with the ids concerned. */
  readonly text: string
  /** Numbers of the entries concerned: positions in the journal, from 0. */
  readonly entries: ReadonlyArray<number>
}
