import { Schema, SchemaAST } from "effect"
import { isGiven, ruled, type Told } from "../../input/Closed.js"
import { given } from "../../input/Patch.js"
import type { Definition } from "../Workflow.js"
import type { Action } from "./Action.js"
import { actions } from "./ActionInput.js"
import { conditionOrNothing, givenConditions, hasFewConditions, tooManyConditions } from "./ConditionInput.js"
import type { RunCondition } from "./RunCondition.js"

const stepProblems = (given: unknown): Told =>
  (hasFewConditions(given) ? [...givenConditions(given)] : []).flatMap(({ given, path }) =>
    isGiven(given) && Object.hasOwn(given, "step")
      ? [[[...path, "step"], "is for the conditions of actions only: no action is over yet"] as const]
      : []
  )

// Counted before any is looked at, so that many cost nothing.
const bounded = Schema.Unknown.pipe(Schema.filter((given) => hasFewConditions(given) || tooManyConditions))

/** The condition under which a workflow runs, on the wire; null where it always does. */
const conditions: Schema.Schema<RunCondition | null, unknown> = ruled(
  Schema.compose(bounded, conditionOrNothing, { strict: false }).annotations({
    [SchemaAST.SurrogateAnnotationId]: conditionOrNothing.ast
  }),
  stepProblems
)

/** The fields of a definition, of a body that makes a workflow: what is left out is nothing. */
export const definitionFields = {
  conditions: Schema.optionalWith(conditions, { default: () => null }),
  actions: Schema.optionalWith(actions, { default: (): ReadonlyArray<Action> => [] })
}

/** The fields of a definition, of a PATCH: each is replaced as a whole, and null takes the conditions away. */
export const definitionPatchFields = { conditions: given(conditions), actions: given(actions) }

/** The fields of a definition on the wire of the administration. */
export const definitionResourceFields = { conditions, actions }

/** What a workflow does, as an input says it. */
export const definitionOf = ({ actions, conditions }: Definition): Definition => ({ actions, conditions })
