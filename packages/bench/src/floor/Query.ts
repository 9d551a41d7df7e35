/** A statement with `?` for each value. Statements of one name have the same text and are prepared once. */
export interface Query {
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** The statements of one transaction, executed in order. */
export type Statements<A> = Generator<Query, A, ReadonlyArray<any>>

/** Executes statements in one durable transaction. */
export type InTransaction = <A>(statements: Statements<A>) => Promise<A>
