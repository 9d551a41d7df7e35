import { Schema } from "effect"
import { oneOf, optional, requiredText } from "../../input/Fields.js"
import type { Action } from "./Action.js"
import { conditionOrNothing } from "./ConditionInput.js"

/** What every action has beside what it does. */
export type CommonFields = Pick<Action, "name" | "if" | "onError">

/** The fields of an action of that type on the wire, before those of its own. */
export const actionFields = <T extends Action["type"]>(type: T) => ({
  type: Schema.Literal(type),
  name: optional(requiredText(64)),
  if: Schema.optionalWith(conditionOrNothing, { default: () => null }),
  onError: Schema.optionalWith(oneOf<Action["onError"]>(["stop", "continue"]), { default: () => "stop" as const }).pipe(
    Schema.fromKey("on_error")
  )
})
