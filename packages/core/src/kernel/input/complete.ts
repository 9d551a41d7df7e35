import { Either } from "effect"
import { invalid, type Problems, type Refusal } from "../../errors/Refusal.js"
import { joinProblems, type PartialDecode } from "./PartialDecode.js"

/**
 * Returns the input if it has no problems. Fails with `validation_failed` and all problems: those of the decoding, and
 * those that rules found (docs/reference/requests.md#validation-messages).
 */
export const complete = <A>(decoded: PartialDecode<A>, ...more: ReadonlyArray<Problems>): Either.Either<A, Refusal> => {
  const problems = more.reduce(joinProblems, decoded.problems)
  return Object.keys(problems).length === 0 ? Either.right(decoded.value as A) : Either.left(invalid(problems))
}
