import { Either } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"

/** Returns the row. Fails with `not_found` if it is absent. */
export const orNotFound = <Row>(row: Row | undefined): Either.Either<Row, Refusal> =>
  row === undefined ? Either.left(refuse("not_found")) : Either.right(row)
