import { Schema } from "effect"
import { oneOf, optional, requiredText } from "../../../kernel/input/Fields.js"
import type { Action } from "../../../model/Action.js"
import { conditionOrNothing } from "./ConditionInput.js"

/** The fields that all actions have. */
export type CommonFields = Pick<Action, "name" | "if" | "onError">

/** Wire schema of the common fields of an action type. */
export const actionFields = <T extends Action["type"]>(type: T) => ({
  type: Schema.Literal(type),
  name: optional(requiredText(64)),
  if: Schema.optionalWith(conditionOrNothing, { default: () => null }),
  onError: Schema.optionalWith(oneOf<Action["onError"]>(["stop", "continue"]), { default: () => "stop" as const }).pipe(
    Schema.fromKey("on_error")
  )
})
