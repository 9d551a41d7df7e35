import { Either } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"

/** The row, or 404 where there is none. */
export const found = <Row>(row: Row | undefined): Either.Either<Row, Refusal> =>
  row === undefined ? Either.left(refuse("not_found")) : Either.right(row)
