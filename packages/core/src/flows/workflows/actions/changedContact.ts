import { Either } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import type { Decision } from "../../../kernel/Decider.js"
import type { Contact } from "../../../model/Contact.js"
import type { ActionResult } from "../runs/RunScope.js"

/** Converts a decision about the contact into an action result. */
export const changedContact = (
  decided: Either.Either<Decision<Contact>, Refusal>,
  detail: string
): Either.Either<ActionResult, Refusal> =>
  Either.map(decided, ({ changes, result: contact }) => ({ parts: changes === null ? [] : [changes], detail, contact }))
