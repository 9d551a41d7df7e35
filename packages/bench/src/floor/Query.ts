/** A statement with `?` for each of its values. Those of one name have one text, and are prepared once. */
export interface Query {
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Statements of one transaction: each is carried out before the next is asked for. */
export type Statements<A> = Generator<Query, A, ReadonlyArray<any>>

/** Carries statements out in a transaction of their own, durably. */
export type InTransaction = <A>(statements: Statements<A>) => Promise<A>
