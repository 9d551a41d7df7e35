import { Either } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Carried } from "../runs/RunScope.js"

/** A decision about the contact, as what an action came to. */
export const changedContact = (
  decided: Either.Either<Decision<Contact>, Refusal>,
  detail: string
): Either.Either<Carried, Refusal> =>
  Either.map(decided, ({ changes, result: contact }) => ({ parts: changes === null ? [] : [changes], detail, contact }))
