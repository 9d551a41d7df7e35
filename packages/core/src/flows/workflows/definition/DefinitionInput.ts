import { Schema, SchemaAST } from "effect"
import { given } from "../../../kernel/input/Patch.js"
import { isJsonRecord, type PathProblems, withRules } from "../../../kernel/input/StrictStruct.js"
import { field } from "../../../kernel/input/wire.js"
import type { Action } from "../../../model/Action.js"
import type { RunCondition } from "../../../model/RunCondition.js"
import type { Definition } from "../../../model/Workflow.js"
import { actions } from "./ActionInput.js"
import { conditionOrNothing, givenConditions, hasFewConditions, tooManyConditions } from "./ConditionInput.js"

const stepProblems = (given: unknown): PathProblems =>
  (hasFewConditions(given) ? [...givenConditions(given)] : []).flatMap(({ given, path }) =>
    isJsonRecord(given) && Object.hasOwn(given, "step")
      ? [[[...path, "step"], "is for the conditions of actions only: no action is over yet"] as const]
      : []
  )

// Count first, so that oversized input is rejected cheaply.
const bounded = Schema.Unknown.pipe(Schema.filter((given) => hasFewConditions(given) || tooManyConditions))

/** The condition under which a workflow runs, on the wire; null where it always does. */
const conditions: Schema.Schema<RunCondition | null, unknown> = withRules(
  Schema.compose(bounded, conditionOrNothing, { strict: false }).annotations({
    [SchemaAST.SurrogateAnnotationId]: conditionOrNothing.ast
  }),
  stepProblems
)

const meanings = {
  conditions: { description: "The condition that an event must meet; null: none." },
  actions: { description: "The actions, in order." }
}

/** The fields of a definition, of a body that makes a workflow: what is left out is nothing. */
export const definitionFields = {
  conditions: field(Schema.optionalWith(conditions, { default: () => null }), meanings.conditions),
  actions: field(Schema.optionalWith(actions, { default: (): ReadonlyArray<Action> => [] }), meanings.actions)
}

/** The fields of a definition, of a PATCH: each is replaced as a whole, and null takes the conditions away. */
export const definitionPatchFields = {
  conditions: field(given(conditions), meanings.conditions),
  actions: field(given(actions), meanings.actions)
}

/** The fields of a definition on the wire of the administration. */
export const definitionResourceFields = {
  conditions: field(conditions, meanings.conditions),
  actions: field(actions, meanings.actions)
}

/** The definition of an input, without its other fields. */
export const definitionOf = ({ actions, conditions }: Definition): Definition => ({ actions, conditions })
