import { Either } from "effect"
import { invalid, type Problems, type Refusal } from "../errors/Refusal.js"
import { type Draft, joinProblems } from "./Draft.js"

/**
 * The whole input where nothing is wrong with it, else 422 `validation_failed` with every problem at once: the draft's own,
 * and those that rules found in the data (decisions.md §2, step 8).
 */
export const complete = <A>(draft: Draft<A>, ...more: ReadonlyArray<Problems>): Either.Either<A, Refusal> => {
  const problems = more.reduce(joinProblems, draft.problems)
  return Object.keys(problems).length === 0 ? Either.right(draft.value as A) : Either.left(invalid(problems))
}
